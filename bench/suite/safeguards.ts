import { type Environment, load } from './environment.ts'
import { CONNECTIONS, type Stage } from './intake.ts'
import { newKeys, orderRequests } from './orders.ts'
import type { Pace } from './placement.ts'
import { runStatements } from './run-statements.ts'
import { type Spread, spread } from './spread.ts'

export interface Cost {
  withAll: Spread
  without: Spread
  /** The share of the rate that row-level security, idempotency and audit cost. */
  share: Spread
}

/** Measures the same orders without Idempotency-Keys, on a database without row-level security and audit. */
export async function measureSafeguards(
  environment: Environment,
  { businesses, groups }: Stage,
  pace: Pace,
): Promise<Cost> {
  const { seconds, rounds, say } = pace
  const bare = await environment.database('bench_bare', 1)
  await leaveOut(bare.superUrl)
  const service = await environment.service(bare.urls)
  const one = orderRequests(businesses.slice(0, 1))
  const other = orderRequests(bare.businesses)
  const withAll: number[] = []
  const without: number[] = []
  for (let number = 0; number <= rounds; number++) {
    const full = await load({ port: groups.port, connections: CONNECTIONS, seconds, requests: one, keyed: newKeys() })
    const less = await load({ port: service.port, connections: CONNECTIONS, seconds, requests: other })
    if (number === 0) continue
    withAll.push(full.rate)
    without.push(less.rate)
    say(`  cost, round ${number}: ${Math.round(full.rate)}/s with all, ${Math.round(less.rate)}/s without`)
  }
  await service.stop()
  const share = withAll.map((rate, index) => 1 - rate / (without[index] ?? Number.NaN))
  return { withAll: spread(withAll), without: spread(without), share: spread(share) }
}

const leaveOut = (superUrl: string) =>
  runStatements(
    superUrl,
    `
    do $$ declare t text; begin
      for t in select c.oid::regclass::text from pg_class c where c.relrowsecurity and c.relnamespace = 'public'::regnamespace loop
        execute format('alter table %s disable row level security', t);
      end loop;
    end $$;
    create rule no_audit as on insert to audit_entries do instead nothing`,
  )
