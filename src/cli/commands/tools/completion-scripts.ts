/** Shell scripts that call `opac complete`. */

/** In bash, `=`, `:` and `@` usually end a word. A completion must not repeat the text up to the last of these characters. */
const BASH = `# bash completion for opac. Put this line into ~/.bashrc:
#   source <(opac completion bash)
_opac() {
  local line=\${COMP_LINE:0:COMP_POINT} word breaks prefix= value
  word=\${line##*[[:space:]]}
  breaks=\${COMP_WORDBREAKS//[^=:@]/}
  if [[ -n $breaks ]]; then prefix=\${word%"\${word##*[$breaks]}"}; fi
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    case $value in
      :files) compopt -o default ;;
      :nospace) compopt -o nospace ;;
      *) COMPREPLY+=("\${value#"$prefix"}") ;;
    esac
  done < <(opac complete --line "$line" 2>/dev/null)
}
complete -F _opac opac`;

const ZSH = `#compdef opac
# zsh completion for opac. Put this line into ~/.zshrc, after compinit:
#   source <(opac completion zsh)
# or write it into a folder of $fpath as _opac.
_opac() {
  local line
  local -a candidates suffix
  for line in "\${(@f)$(opac complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) _files; return ;;
      :nospace) suffix=(-S '') ;;
      *) candidates+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done
  (( $#candidates )) && _describe -t values opac candidates "\${(@)suffix}"
}
if [[ \${funcstack[1]} == _opac ]]; then _opac "$@"; else compdef _opac opac; fi`;

const FISH = `# fish completion for opac. Write it into ~/.config/fish/completions/opac.fish
function __opac_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (opac complete -- $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case ':*'
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c opac -f -a '(__opac_complete)'`;

const POWERSHELL = `# PowerShell completion for opac. Put this line into $PROFILE:
#   opac completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName opac -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $length = $cursorPosition - $commandAst.Extent.StartOffset
    $line = $commandAst.Extent.Text.PadRight($length).Substring(0, $length)
    opac complete --line $line 2>$null | Where-Object { -not $_.StartsWith(':') } | ForEach-Object {
        $value, $summary = $_ -split "\`t", 2
        if (-not $summary) { $summary = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $summary)
    }
}`;

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const;
export type Shell = keyof typeof SCRIPTS;
export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];
