/** The style of the HTML report. */

export const HTML_STYLE = `
:root{color-scheme:light dark;--text:#1b1f24;--quiet:#5b6470;--ground:#fff;--card:#f5f6f8;--line:#d8dce2;--fail:#b42318;--warn:#8a5a00;--pass:#1a7f37;--skip:#5b6470;--bar:#9db7e8;--median:#3563c9}
@media(prefers-color-scheme:dark){:root{--text:#e6e9ee;--quiet:#9aa4b2;--ground:#14171c;--card:#1d2229;--line:#343b46;--fail:#ff8a7a;--warn:#f0b849;--pass:#5bd07a;--skip:#9aa4b2;--bar:#35507f;--median:#7aa2f7}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:70rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.4rem;overflow-wrap:anywhere;margin:0}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:0;font-family:ui-monospace,monospace;overflow-wrap:anywhere}
header p,.source,small{color:var(--quiet);font-size:.875rem;overflow-wrap:anywhere}
.problem{color:var(--fail)!important;font-weight:600}
.tiles{list-style:none;display:grid;grid-template-columns:repeat(4,1fr);gap:.5rem;padding:0;margin:1rem 0 0}
.tiles li{background:var(--card);border-radius:.5rem;padding:.75rem;text-align:center;font-size:.875rem}
.tiles b{display:block;font-size:1.75rem;line-height:1.2}
.fail>b,tr.fail .verdict,article.fail h3{color:var(--fail)}
.warn>b,tr.warn .verdict,article.warn h3{color:var(--warn)}
.pass>b,tr.pass .verdict{color:var(--pass)}
.skip>b,tr.skip .verdict,.tiles .none>b{color:var(--skip)}
article{background:var(--card);border-left:4px solid var(--line);border-radius:.25rem;padding:1rem;margin:0 0 1rem}
article.fail{border-color:var(--fail)}
article.warn{border-color:var(--warn)}
article p{margin:.25rem 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .75rem;margin:.75rem 0 .25rem}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
details{margin:.25rem 0}
summary{cursor:pointer;color:var(--quiet);font-size:.875rem;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--ground);border:1px solid var(--line);border-radius:.25rem;padding:.5rem;margin:.5rem 0;font-size:.8rem;max-height:16rem;overflow-y:auto}
table{border-collapse:collapse;width:100%;font-size:.875rem}
th{text-align:left;color:var(--quiet);font-weight:500}
th,td{padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
.promise{overflow-wrap:anywhere}
.verdict,.time{white-space:nowrap}
.time{text-align:right;font-variant-numeric:tabular-nums}
.id{font-family:ui-monospace,monospace;font-size:.8rem;white-space:nowrap}
.bar{width:45%;vertical-align:middle}
svg{display:block}
.p95{fill:var(--bar)}
.median{fill:var(--median)}
a{color:inherit}
@media(max-width:40rem){
.id{white-space:normal;overflow-wrap:anywhere}
.tiles{grid-template-columns:repeat(2,1fr)}
dl{grid-template-columns:1fr}
dt{margin-top:.35rem}
thead{display:none}
table:not(.latency) tr{display:grid;grid-template-columns:4.5rem minmax(0,1fr) max-content;border-bottom:1px solid var(--line);padding:.4rem 0}
table:not(.latency) td{border:0;padding:0}
.promise{grid-column:2/-1;grid-row:2}
.bar{width:30%}
}
`;
