// Groups are the first words of paths. These paths say another thing than what they are about.
const groupOfPath: [RegExp, string][] = [
  [/^\/api\/v1\/create-order$/, 'orders'],
  [/^\/api\/v1\/verify-token$/, 'tokens'],
  [/^\/api\/v1\/request-log$/, 'requests'],
  [/^\/api\/v1\/customer\/add-data\/jobs\//, 'file-jobs'],
  [/^\/api\/v1\/customer(\/add-data)?$/, 'customers'],
  [/^\/api\/v1\/customers\/\{\w+\}\/reports\//, 'reports'],
]
// Second names of routes that the client has under the first.
const aliases = new Set(['createCustomerAlias'])

interface Callable {
  operationId: string
  deprecated?: boolean
  security?: readonly object[]
}

/** Whether the client has a call for an operation: it takes a token, and is not only an older name. FHIR has clients of its own. */
export const isInClient = (path: string, { operationId, deprecated, security }: Callable): boolean =>
  !path.startsWith('/fhir/') &&
  !deprecated &&
  !aliases.has(operationId) &&
  (security?.some((way) => 'token' in way) ?? false)

/** The group of a path: `['operator', 'fileJobs']`. */
export function groupOf(path: string): string[] {
  const [, side, , first = ''] = path.split('/')
  const group = groupOfPath.find(([pattern]) => pattern.test(path))?.[1] ?? first
  return [...(side === 'operator' ? ['operator'] : []), group.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())]
}

const wordsOf = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
const singular = (word: string) =>
  word
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1')
    .replace(/sse$/, 'ss')
export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** The operationId without what the group says already: `clearKitRegistration` of `kits` is `clearRegistration`. */
export function nameOf(id: string, group: readonly string[]): string {
  const groupWords = wordsOf(group.at(-1) ?? '').map(singular)
  const words = wordsOf(
    id
      .replace(/OfAll$/, '')
      .replace('Operator', '')
      .replace(/(?<=list)All/, ''),
  )
  const at = words.findIndex((_, i) => groupWords.every((word, k) => singular(words[i + k] ?? '') === word))
  if (at >= 0) words.splice(at, groupWords.length)
  // `consentForKit` would end in `for`.
  if (at === words.length && /^(for|of|to)$/.test(words.at(-1) ?? '')) words.pop()
  const [verb = 'find', ...rest] = words.length > 0 ? words : ['find']
  return verb + rest.map(capital).join('')
}
