import { sql } from 'kysely'
import type { z } from 'zod'
import type { Queries, SystemTx } from '../../platform/database/tx.ts'
import type { AccountTest, LabelAccountInput, LabelProvider } from './schema.ts'

export type Definition = Omit<LabelAccountInput, 'isActive' | 'secretKey'>

export interface Account {
  provider: LabelProvider
  isActive: boolean
  definition: Definition
  /** Sealed. */
  secret: Buffer | null
  tested: z.output<typeof AccountTest> | null
  createdAt: Date
  changedAt: Date
}

const columns = sql`provider, is_active as "isActive", definition, secret, tested, created_at as "createdAt", changed_at as "changedAt"`

export const selectAccounts = (tx: Queries): Promise<Account[]> =>
  tx.rows(sql<Account>`select ${columns} from label_accounts order by provider`)

export const selectActive = (tx: Queries): Promise<Account | undefined> =>
  tx.maybeRow(sql<Account>`select ${columns} from label_accounts where is_active`)

export const selectAccount = (tx: Queries, provider: LabelProvider): Promise<Account | undefined> =>
  tx.maybeRow(sql<Account>`select ${columns} from label_accounts where provider = ${provider}`)

/** One that is used ends the use of the other. */
export async function upsertAccount(tx: SystemTx, account: Account): Promise<void> {
  const { provider, isActive, definition, secret, tested, createdAt, changedAt } = account
  if (isActive)
    await tx.run(sql`update label_accounts set is_active = false where provider <> ${provider} and is_active`)
  await tx.run(sql`
    insert into label_accounts (provider, is_active, definition, secret, tested, created_at, changed_at)
    values (${provider}, ${isActive}, ${JSON.stringify(definition)}::jsonb, ${secret}::bytea,
      ${tested && JSON.stringify(tested)}::jsonb, ${createdAt}, ${changedAt})
    on conflict (provider) do update set is_active = excluded.is_active, definition = excluded.definition, secret = excluded.secret,
      tested = excluded.tested, changed_at = excluded.changed_at`)
}

export async function saveTested(
  tx: SystemTx,
  provider: LabelProvider,
  tested: z.input<typeof AccountTest>,
): Promise<void> {
  await tx.run(sql`update label_accounts set tested = ${JSON.stringify(tested)}::jsonb where provider = ${provider}`)
}
