// Parts of messages of HL7 v2 that are sent.

export const ESCAPES: Readonly<Record<string, string>> = { '|': 'F', '^': 'S', '~': 'R', '\\': 'E', '&': 'T' }

/** A text as a field may have it. HL7 v2.5.1, chapter 2.7. */
export const escaped = (text: string): string =>
  text.replaceAll(/[|^~\\&]/g, (one) => `\\${ESCAPES[one]}\\`).replaceAll(/[\p{Cc}\s]+/gu, ' ')

/** A name that may have components of its own. */
export const named = (text: string): string => text.split('^').map(escaped).join('^')

export const components = (...parts: (string | undefined)[]): string =>
  parts
    .map((part) => escaped(part ?? ''))
    .join('^')
    .replace(/\^+$/, '')

export const segment = (name: string, fields: Readonly<Record<number, string>>): string => {
  const last = Math.max(...Object.keys(fields).map(Number))
  const all = Array.from({ length: last }, (_, at) => fields[at + 1] ?? '')
  return `${[name, ...all].join('|').replace(/\|+$/, '')}\r`
}

/** A time in UTC, to the second. */
export const timeOf = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/\D/g, '')}+0000`

/** A provider as XCN of HL7 v2.5.1, chapter 2.A.88: `Jane Doe, MD` has a suffix, and her family name is the last word before it. */
export function providerOf({ provider, npi }: { provider: string; npi: string }): string {
  const [name = '', ...suffixes] = provider.split(',').map((part) => part.trim())
  const words = name.split(/\s+/)
  const fields = [npi, words.at(-1) ?? '', words.slice(0, -1).join(' ')].map(escaped)
  const authority = 'NPI&2.16.840.1.113883.4.6&ISO'
  const known = [...fields, '', '', '', '', '', authority, 'L', '', '', 'NPI']
  const suffix = escaped(suffixes.join(' '))
  return [...known, ...(suffix ? ['', '', '', '', '', '', '', suffix] : [])].join('^')
}
