/** Markup that is safe to send: made by `html` only. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Part = Html | string | number | false | null | undefined | readonly Part[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

function textOf(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(textOf).join('')
  return part === false || part === null || part === undefined ? '' : escaped(String(part))
}

/** Markup with values in it, each escaped unless it is markup itself; false, null and undefined are left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + textOf(parts[index - 1]) + string))
}
