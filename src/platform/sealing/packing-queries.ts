import { sql } from 'kysely'
import type { SystemTx } from '../database/tx.ts'

// A process writes its beat every five seconds. One that was cut off for longer cannot open what is packed, and says so.
const GONE_AFTER = '5 minutes'
// A process knows after ten seconds: then it writes no more values that a walk over all rows would miss.
const KNOWN_AFTER = '30 seconds'

/** Has all processes pack from now on, if every one that lives reads packed values. Returns whether all of them do. */
export async function startPacking(tx: SystemTx): Promise<boolean> {
  await tx.run(sql`
    insert into packing (since) select clock_timestamp() where not exists (
      select from process_beats where not reads_packed and beat_at > clock_timestamp() - ${GONE_AFTER}::interval)
    on conflict do nothing`)
  const known = sql`select 1 from packing where since < clock_timestamp() - ${KNOWN_AFTER}::interval`
  return (await tx.maybeRow(known)) !== undefined
}
