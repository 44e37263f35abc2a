/** A PostgreSQL URL as libpq reads it: several hosts, `options`, and libpq's meaning of `sslmode`. */
export interface DatabaseUrl {
  /** With the first host only, for the driver. */
  url: string
  /** More than one where several were named. */
  hosts: readonly { host: string; port: number }[]
  /** Which of several hosts qualifies. */
  wants: Wanted
  /** The URL's `?options=`, sent together with our own. */
  options: string | undefined
}

export type Wanted = (typeof wanted)[number]
const wanted = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const
const isWanted = (text: string): text is Wanted => (wanted as readonly string[]).includes(text)

/** Undefined if it is not a PostgreSQL URL. */
export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const [, head, list, tail] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  if (head === undefined || list === undefined) return undefined
  const parsed = list.split(',').map((host) => `${head}${host}${tail}`)
  if (!parsed.every((one) => URL.canParse(one))) return undefined
  const urls = parsed.map((one) => new URL(one))
  const [first] = urls
  if (!first || (urls.length > 1 && urls.some(({ hostname }) => !hostname))) return undefined
  const query = first.searchParams
  const wants = query.get('target_session_attrs') ?? 'any'
  if (!isWanted(wants)) return undefined
  const options = query.get('options') ?? undefined
  query.delete('target_session_attrs')
  query.delete('options')
  // Without this the driver treats every mode as verify-full.
  if (query.has('sslmode') && !query.has('uselibpqcompat')) query.set('uselibpqcompat', 'true')
  if (query.get('sslmode') === 'allow') query.set('sslmode', 'prefer')
  return {
    url: first.href,
    hosts: urls.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[(.+)\]$/, '$1'),
      port: Number(port) || 5432,
    })),
    wants,
    options,
  }
}
