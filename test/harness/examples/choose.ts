/** What a test asked of a route, and heard. */
export interface Heard {
  params: Record<string, string>
  query: Record<string, string>
  request?: unknown
  answer?: unknown
}

// What is longer than this shows nothing more.
const MAX_LENGTH = 12_000

/** The more complete of two; of two that are equally so, always the same one. */
export function isBetter(one: Heard, other: Heard): boolean {
  const [mine, its] = [worth(one), worth(other)]
  if (mine !== its) return mine > its
  return shape(one) < shape(other)
}

function worth(heard: Heard): number {
  const text = JSON.stringify([heard.request, heard.answer])
  const places = new Set<string>()
  collect(heard.request, 'request', places)
  collect(heard.answer, 'answer', places)
  const asked = Object.values(heard.query).filter((value) => /^[\w@.:, +-]+$/.test(value)).length
  return places.size + asked / 4 - (isOdd(text) ? 1000 : 0) - (text.length > MAX_LENGTH ? 20 : 0)
}

/** Made up to be refused or to fill a field: tests do that, a person would not. */
const isOdd = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /"sample-*"|canary|\\u|[\u0000-\u001f]|[\u{10000}-\u{10ffff}]|<script|or 1=1|x{40}|a{40}|(?<![\w+/=])(.)\1{30}/u.test(
    text,
  )

/** Places that hold a value, each counted once: `answer.kits[].kitID`. */
function collect(value: unknown, place: string, places: Set<string>): void {
  if (value === null || value === '' || value === undefined) return
  if (Array.isArray(value)) {
    for (const one of value.slice(0, 20)) collect(one, `${place}[]`, places)
  } else if (typeof value === 'object') {
    for (const [key, one] of Object.entries(value)) {
      places.add(`${place}.${key}`)
      collect(one, `${place}.${key}`, places)
    }
  }
}

/** The text without what changes from run to run. */
const shape = (heard: Heard): string => JSON.stringify(heard).replaceAll(/[0-9A-Za-z_-]{9,}|\d+/g, '#')
