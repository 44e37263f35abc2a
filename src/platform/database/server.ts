import { Socket } from 'node:net'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import { Client, type ClientConfig } from 'pg'
import { StartError } from '../../domain/errors.ts'
import { type DatabaseUrl, parseDatabaseUrl, type Wanted } from '../database-url.ts'
import { patience } from './timeouts.ts'

// Below the 2 s that a pool waits for a connection: a host that does not answer must not hide the one that does.
const PROBE_MS = 1500

export interface ServerOptions extends ClientConfig {
  /** The role to switch to after connecting, if the login is the owner. */
  role?: string | undefined
}

/** The settings of every client and pool: its URL as libpq reads it, and the limits of this side's waits. */
export function serverConfig(url: string, { role, ...options }: ServerOptions = {}): ClientConfig {
  const server = parseDatabaseUrl(url)
  if (!server) throw new TypeError('not the URL of a PostgreSQL database')
  const words = [server.options, role && `-c role=${role}`].filter(Boolean).join(' ')
  return {
    // A connection that does not answer is closed, and everything waiting on it fails.
    ...patience,
    ...options,
    connectionString: server.url,
    ...(words && { options: words }),
    // biome-ignore lint/suspicious/noExplicitAny: the driver passes arguments that its types lack
    ...(server.hosts.length > 1 && { stream: ((of: any) => new FindingSocket(server, of.ssl)) as any }),
  }
}

/** Creates a client outside any pool. */
export function createClient(url: string, options?: ServerOptions): Client {
  try {
    return new Client(serverConfig(url, options))
  } catch (cause) {
    // The driver reads the TLS files here.
    if (!(cause instanceof Error && 'path' in cause)) throw cause
    throw new StartError(`The file ${cause.path} cannot be read. DATABASE_URL names it for TLS.`, { cause })
  }
}

/** Chooses the host at each connect, so that a reconnect after a failover finds the new primary. */
class FindingSocket extends Socket {
  readonly #server: DatabaseUrl
  readonly #tls: ConnectionOptions

  constructor(server: DatabaseUrl, tls: ConnectionOptions | boolean | undefined) {
    super()
    this.#server = server
    this.#tls = typeof tls === 'object' ? tls : {}
  }

  override connect(): this {
    findHost(this.#server).then(
      ({ host, port }) => {
        if (this.destroyed) return
        // The driver knows only the first host; the certificate belongs to the chosen one.
        this.#tls.checkServerIdentity ??= (_, certificate) => checkServerIdentity(host, certificate)
        super.connect(port, host)
      },
      (err: Error) => this.destroy(err),
    )
    return this
  }
}

type Host = DatabaseUrl['hosts'][number]

/** Probes all hosts at once, and takes the first in the URL's order that qualifies. */
async function findHost({ url, hosts, wants }: DatabaseUrl): Promise<Host> {
  const found = await Promise.allSettled(hosts.map((host) => probe(url, host)))
  const states = found.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
  const first = (will: (state: State) => boolean) => hosts.find((_, n) => states[n] && will(states[n]))
  const host = first(rules[wants]) ?? (wants === 'prefer-standby' ? first(() => true) : undefined)
  if (host) return host
  const answered = states.filter((state) => state !== undefined).length
  const failure = found.find((one) => one.status === 'rejected')?.reason
  if (answered === 0 && failure) throw failure
  throw new NoSuchHost(wants, hosts.length, answered)
}

interface State {
  standby: boolean
  readOnly: boolean
}

const rules: Record<Wanted, (state: State) => boolean> = {
  any: () => true,
  'read-write': ({ standby, readOnly }) => !standby && !readOnly,
  'read-only': ({ standby, readOnly }) => standby || readOnly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'prefer-standby': ({ standby }) => standby,
}

async function probe(url: string, { host, port }: Host): Promise<State> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
    application_name: 'kitlane-probe',
  })
  Object.assign(client, { host, port })
  client.on('error', () => {
    // The failed query reports it.
  })
  await client.connect()
  try {
    const { rows } = await client.query<State>(
      `select pg_is_in_recovery() as standby, current_setting('default_transaction_read_only')::bool as "readOnly"`,
    )
    return rows[0] as State
  } finally {
    await client.end()
  }
}

class NoSuchHost extends Error {
  /** The SQLSTATE of PostgreSQL's own client: the connection cannot be established. */
  readonly code = '08001'
  constructor(wants: Wanted, hosts: number, answered: number) {
    super(`of ${hosts} hosts ${answered} answer, and none is ${wants}`)
    this.name = 'NoSuchHost'
  }
}
