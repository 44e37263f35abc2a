import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../domain/errors.ts'
import type { ProcessContext } from '../../platform/database/process-context.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { internalKitType, publicKitType } from '../catalogue/kit-type.ts'
import { panels } from '../catalogue/service.ts'
import { type Account, selectAccount, selectAccounts, upsertAccount } from './account-queries.ts'
import { wordsOf } from './rules.ts'
import type { LabelAccount, LabelAccountInput, LabelProvider } from './schema.ts'

export const TEST_JOB = 'labels.test'

const place = (provider: LabelProvider) => `label_accounts.secret/${provider}`

export const openKey = (context: ProcessContext, { provider, secret }: Account): string | undefined =>
  secret === null ? undefined : context.open(secret, place(provider))

/** The operator's accounts at services that sell labels, without their keys. */
export const listAccounts = async (tx: SystemTx): Promise<LabelAccount[]> => (await selectAccounts(tx)).map(shown)

function shown({ provider, isActive, definition, secret, tested, createdAt, changedAt }: Account): LabelAccount {
  return {
    ...definition,
    parcels: definition.parcels.map((parcel) => ({
      ...parcel,
      ...(parcel.kitType && { kitType: publicKitType(parcel.kitType) }),
    })),
    provider,
    isActive,
    hasSecretKey: secret !== null,
    ...(tested && { tested: { ...tested, ...(tested.reason && { sentence: wordsOf[tested.reason] }) } }),
    createdDate: createdAt.toISOString(),
    changedDate: changedAt.toISOString(),
  }
}

// The forms of keys of the other service.
const othersKeys: Readonly<Record<LabelProvider, RegExp>> = { easypost: /^shippo_/i, shippo: /^EZ[AT]K/ }

/** The names of what changed of an account. Where samples go, and whose account is paid, somebody must be able to look up. */
function changesOf(before: Account | undefined, after: Account, isKeyNew: boolean): string[] {
  const [was, is] = [before, after].map(
    (one) => ({ ...one?.definition, isActive: one?.isActive }) as Record<string, unknown>,
  )
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])
  const changed = [...names].filter((name) => !isDeepStrictEqual(was?.[name], is?.[name]))
  return [...(isKeyNew ? ['key'] : []), ...changed.sort()]
}

/** Says how labels are bought. @throws VALIDATION_FAILED */
export async function saveAccount(
  tx: SystemTx,
  provider: LabelProvider,
  { isActive, secretKey, ...given }: LabelAccountInput,
): Promise<LabelAccount> {
  const before = await selectAccount(tx, provider)
  const known = new Set((await panels(tx)).map(({ kitType }) => kitType))
  const parcels = given.parcels.map((parcel) => ({
    ...parcel,
    ...(parcel.kitType && { kitType: internalKitType(parcel.kitType) }),
  }))
  const unknown = parcels.findIndex(({ kitType }) => kitType !== undefined && !known.has(kitType))
  if (unknown >= 0) refuse([{ message: 'There is no panel of this kit type', path: `parcels.${unknown}.kitType` }])
  if (provider === 'easypost' && given.format === 'A6')
    refuse([{ message: 'EasyPost prints labels of 4×6 inches', path: 'format' }])
  if (secretKey && othersKeys[provider].test(secretKey))
    refuse([{ message: 'This is a key of the other label service', path: 'secretKey' }])
  const secret = secretKey ? tx.context.seal(secretKey, place(provider)) : (before?.secret ?? null)
  if (isActive && secret === null) refuse([{ message: 'Give the secret key of the account', path: 'secretKey' }])
  const account: Account = {
    provider,
    isActive,
    definition: { ...given, parcels },
    secret,
    tested: secretKey ? null : (before?.tested ?? null),
    createdAt: before?.createdAt ?? tx.now,
    changedAt: tx.now,
  }
  await upsertAccount(tx, account)
  const details = { isActive, fields: changesOf(before, account, secretKey !== undefined) }
  await audit.recordSystem(tx, [
    { action: 'labels.connected', objectType: 'label_account', objectId: provider, details },
  ])
  return shown(account)
}

/** Has a job ask the service for rates, and record what it says. @throws LABEL_ACCOUNT_NOT_FOUND */
export async function testAccount(tx: SystemTx, provider: LabelProvider): Promise<LabelAccount> {
  const account = await selectAccount(tx, provider)
  if (!account?.secret) throw new AppError('LABEL_ACCOUNT_NOT_FOUND', 'There is no such account with a key')
  await upsertAccount(tx, { ...account, tested: null })
  await tx.enqueue(TEST_JOB, {})
  return shown({ ...account, tested: null })
}
