import { promises as dns } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { EgressError, reasonOf } from './errors.ts'
import { isLoopbackHost } from './url.ts'

export interface Answer {
  address: string
  family: 4 | 6
}

export type Resolver = (hostname: string) => Promise<Answer[]>

const here: Answer[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Queries the name servers without the thread pool: otherwise four slow names would block all file access and DNS of the
 * program. Ignores /etc/hosts and search domains, which are not for names that strangers enter.
 */
export function createPublicResolver(): Resolver {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
  return async (hostname) => {
    if (isLoopbackHost(hostname)) return here
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const answers: Answer[] = []
    if (v4.status === 'fulfilled') answers.push(...v4.value.map((address): Answer => ({ address, family: 4 })))
    if (v6.status === 'fulfilled') answers.push(...v6.value.map((address): Answer => ({ address, family: 6 })))
    if (answers.length === 0 && v4.status === 'rejected') throw v4.reason
    return answers
  }
}

/** Resolves as the machine does, with /etc/hosts: for hosts that the operator configured. */
export const resolveAsMachine: Resolver = async (hostname) => {
  const answers = await dns.lookup(hostname, { all: true })
  return answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** A lookup function for sockets: one forbidden address refuses the name, and the socket connects only to checked addresses. */
export function vettedLookup(resolve: Resolver, may: (hostname: string, address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const find = async () => {
      const answers = await resolve(hostname)
      if (answers.length === 0) throw new EgressError('DNS', { reason: 'ENODATA' })
      if (!answers.every(({ address }) => may(hostname, address))) throw new EgressError('REFUSED_ADDRESS')
      return answers
    }
    find().then(
      (answers) => {
        const [first] = answers
        if (options.all || !first) callback(null, answers)
        else callback(null, first.address, first.family)
      },
      (err: unknown) => {
        const refusal = err instanceof EgressError ? err : new EgressError('DNS', { reason: reasonOf(err) })
        callback(refusal, [])
      },
    )
  }
}
