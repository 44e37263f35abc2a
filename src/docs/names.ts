import type { Listed } from './reference/document.ts'

export interface Target {
  page: string
  anchor: string
}

/** Where a name in a document is explained: a call, an event or an error code. */
export type FindName = (code: string) => Target | undefined

// `{kitID}` in one document is `:id` in another.
const keyOf = (method: string, path: string) =>
  `${method} ${path.replace(/^\/api\/v1(?=\/)/, '').replaceAll(/\{\w+\}|:\w+/g, '{}')}`

/** Finds what documents call by name, so that they need no links that only the site could follow. */
export function namesOf(
  places: readonly { page: string; listed: readonly Listed[] }[],
  errorCodes: readonly string[],
): FindName {
  const known = new Map<string, Target>(
    errorCodes.map((code) => [code, { page: 'errors', anchor: code.toLowerCase() }]),
  )
  for (const { page, listed } of places) {
    for (const { method, path, operation } of listed) {
      if (method === 'EVENT') known.set(path, { page, anchor: path })
      else known.set(keyOf(method, path), { page, anchor: operation.operationId })
    }
  }
  return (code) => {
    const [, method = '', path = ''] = /^([A-Z]+) (\/[^?\s]*)(?:\?\S*)?$/.exec(code) ?? []
    return known.get(method ? keyOf(method, path) : code)
  }
}
