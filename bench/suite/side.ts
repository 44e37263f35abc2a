import type { CpuCost } from './cpu.ts'
import type { LoadResult } from './http-load.ts'
import { type Spread, spread } from './spread.ts'

/** What one side of a comparison did in its rounds. */
export interface Side {
  rate: Spread
  p50Ms?: Spread
  p99Ms?: Spread
  cpu?: { [part in keyof CpuCost]: Spread }
  /** Microseconds an order of the work that is done later. */
  behindUs?: Spread
}

type Round = Pick<LoadResult, 'rate' | 'cpu'> & Partial<Pick<LoadResult, 'p50' | 'p99'>> & { behindUs?: number }

export const ratesOf = (rounds: readonly Round[]): number[] => rounds.map(({ rate }) => rate)

export function sideOf(rounds: readonly Round[]): Side {
  const each = <T>(pick: (round: Round) => T | undefined): T[] =>
    rounds.map(pick).filter((value): value is T & {} => value !== undefined)
  const costs = each(({ cpu }) => cpu)
  const part = (name: keyof CpuCost) => spread(costs.map((cost) => cost[name]))
  const [p50, p99] = [each((round) => round.p50), each((round) => round.p99)]
  const behind = each(({ behindUs }) => behindUs)
  return {
    rate: spread(ratesOf(rounds)),
    ...(p50.length > 0 && { p50Ms: spread(p50) }),
    ...(p99.length > 0 && { p99Ms: spread(p99) }),
    ...(behind.length > 0 && { behindUs: spread(behind) }),
    ...(costs.length > 0 && {
      cpu: {
        serviceUs: part('serviceUs'),
        databaseUs: part('databaseUs'),
        loadUs: part('loadUs'),
        busy: part('busy'),
        share: part('share'),
      },
    }),
  }
}

/** What an order costs, as in "service 283 + database 353 + behind 70 + load 15 µs; cores 57 % busy, 55 % with this". */
export function costInWords({ cpu, behindUs }: Pick<Side, 'cpu' | 'behindUs'>): string {
  if (!cpu) return 'unknown'
  const parts = { service: cpu.serviceUs, database: cpu.databaseUs, behind: behindUs, load: cpu.loadUs }
  const named = Object.entries(parts).flatMap(([name, us]) => (us?.median ? `${name} ${Math.round(us.median)}` : []))
  const percent = (share: Spread) => `${Math.round(share.median * 100)} %`
  return `${named.join(' + ')} µs; cores ${percent(cpu.busy)} busy, ${percent(cpu.share)} with this`
}
