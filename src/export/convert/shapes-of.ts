/** The shapes of several outputs of one export, which share their options. */
import { type ExportFormat, FORMATS, type Shape } from './formats.js';

type Options = Omit<Shape, 'format'>;
type Format = (typeof FORMATS)[ExportFormat];

/** Which formats take an option. */
const TAKES: Readonly<Partial<Record<keyof Options, (format: Format, options: Options) => boolean>>> = {
  columns: ({ takesColumns }) => takesColumns === true,
  sqlNames: ({ takesColumns }) => takesColumns === true,
  multi: ({ table }) => table !== undefined,
  excel: ({ excelTable }) => excelTable !== undefined,
  flat: ({ json }) => json !== undefined,
  plainText: ({ takesColumns, json }, { flat }) =>
    takesColumns === true || (json !== undefined && flat === true),
};

/** One shape for each format. An option that only some of the formats take is left out for the others. */
export function shapesOf(formats: readonly ExportFormat[], options: Options): readonly Shape[] {
  return formats.map((format) => {
    const isLeftOut = (name: string) => {
      const takes = TAKES[name as keyof Options];
      const isTaken = formats.some((each) => takes?.(FORMATS[each], options));
      return takes !== undefined && isTaken && !takes(FORMATS[format], options);
    };
    const own = Object.entries(options).filter(([name]) => !isLeftOut(name));
    return { ...(Object.fromEntries(own) as Options & Pick<Shape, 'kind'>), format };
  });
}
