import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

/** Adds the partition of a month, `2030-12-01`. False if it is there. */
export const addMonth = async (tx: SystemTx, month: string): Promise<boolean> =>
  (await tx.row(sql<{ added: boolean }>`select kitlane_add_audit_month(${month}::date) as added`)).added

/** Lets new entries begin in the partition of a month, if they are not there yet. */
export const beginMonth = async (tx: SystemTx, month: string): Promise<boolean> =>
  (await tx.row(sql<{ begun: boolean }>`select kitlane_begin_audit_month(${month}::date) as begun`)).begun
