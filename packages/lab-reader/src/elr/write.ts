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

const isTitle = (word: string) => /^(dr|prof|mr|mrs|ms)\.?$/i.test(word)
const isGeneration = (word: string) => /^([js]r\.?|ii|iii|iv)$/i.test(word)
const isDegree = (word: string) =>
  /^(m\.?d|d\.?o|ph\.?d|d\.?c\.?l\.?s|mbbs|mph|ms|np|pa-c|rn|dnp|fcap|dabcc|hcld)\.?$/i.test(word)

/** The parts of a name as it is written: `Dr. Jane Doe Jr, MD`. The family name is the last word that is nothing else. */
export function namesOf(name: string) {
  const [first = '', ...behind] = name.split(',').map((part) => part.trim())
  const words = first.split(/\s+/)
  const plain = words.filter(
    (word, at) => !(at < words.length - 1 && isTitle(word)) && !(at > 0 && (isGeneration(word) || isDegree(word))),
  )
  const own = behind.filter(isGeneration)
  return {
    family: plain.at(-1) ?? '',
    given: plain.slice(0, -1).join(' '),
    suffix: [...words.slice(1).filter(isGeneration), ...own].join(' '),
    prefix: words.slice(0, -1).filter(isTitle).join(' '),
    degree: [...words.slice(1).filter(isDegree), ...behind.filter((one) => !own.includes(one))].join(' '),
  }
}

/** A provider as XCN of HL7 v2.5.1, chapter 2.A.88. */
export function providerOf({ provider, npi }: { provider: string; npi: string }): string {
  const { family, given, suffix, prefix, degree } = namesOf(provider)
  const authority = 'NPI&2.16.840.1.113883.4.6&ISO'
  const known = [...[npi, family, given, '', suffix, prefix].map(escaped), '', '', authority, 'L', '', '', 'NPI']
  return [...known, ...(degree ? ['', '', '', '', '', '', '', escaped(degree)] : [])].join('^')
}
