import type { LookupFunction } from 'node:net'
import { EgressError, reasonOf } from './errors.ts'

export interface Answer {
  address: string
  family: 4 | 6
}

export type Resolver = (hostname: string) => Promise<Answer[]>

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
