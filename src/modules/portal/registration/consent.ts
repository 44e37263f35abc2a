import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import type { PersonLimits } from '../../catalogue/eligibility.ts'
import { publicKitType } from '../../catalogue/kit-type.ts'
import { findPanel } from '../../catalogue/service.ts'
import { consentHistory } from '../../kits/consent/history.ts'
import type { ConsentText, Withdrawable } from '../../kits/consent/schema.ts'
import { currentText, findText } from '../../kits/consent/texts.ts'
import { standingConsent, withdrawConsent } from '../../kits/consent/withdraw.ts'
import { type KitRow, selectKitsByIds } from '../../kits/queries.ts'
import type { GivenConsent } from '../view/consent.ts'

const TAG = /^[a-z]{2,3}(-[A-Z]{2})?$/

/** The consent text for anyone who holds a kit, in the first of the languages that there is. */
export async function consentTextFor(
  tx: Tx,
  kitId: string,
  wanted: readonly string[],
): Promise<{ text: ConsentText; languages: string[] }> {
  const { kitType } = await heldKit(tx, kitId)
  const first = await currentText(tx, { kitType, language: 'en' })
  const tags = wanted.filter((tag) => TAG.test(tag)).flatMap((tag) => [tag, tag.split('-')[0] ?? tag])
  const language = tags.find((tag) => first.languages.includes(tag))
  return language === undefined || language === first.text.language ? first : currentText(tx, { kitType, language })
}

/** The text with this ID that was shown to the person who holds a kit; undefined if it is no text of this kit. */
export async function shownText(tx: Tx, kitId: string, id: string): Promise<ConsentText | undefined> {
  const { kitType } = await heldKit(tx, kitId)
  try {
    const text = await findText(tx, id)
    return text.kitType === undefined || text.kitType === publicKitType(kitType) ? text : undefined
  } catch (err) {
    if (err instanceof AppError && err.code === 'CONSENT_TEXT_NOT_FOUND') return undefined
    throw err
  }
}

/** Whom the panel of a kit is for, and the day on which their age counts. */
export interface PersonRule extends PersonLimits {
  /** `YYYY-MM-DD` */
  on: string
}

export async function personRuleOf(tx: Tx, kitId: string): Promise<PersonRule> {
  const { kitType, progress } = await heldKit(tx, kitId)
  const { minAge, maxAge, sex } = await findPanel(tx, kitType)
  return { minAge, maxAge, sex, on: (progress.sampleInTransit ?? tx.now.toISOString()).slice(0, 10) }
}

async function heldKit(tx: Tx, kitId: string) {
  const [kit] = await selectKitsByIds(tx, [kitId])
  if (!kit) throw new AppError('KIT_NOT_FOUND', 'There is no such kit')
  return kit
}

/** A kit of a person; undefined if it is not theirs. */
export async function maybeFindOwnKit(tx: Tx, customerId: number, kitId: string): Promise<KitRow | undefined> {
  const [kit] = await selectKitsByIds(tx, [kitId])
  return kit?.customerId === customerId ? kit : undefined
}

/** What a person agreed to for a kit of theirs; undefined if it is not theirs. The audit records the view. */
export async function viewConsent(tx: Tx, customerId: number, kitId: string): Promise<GivenConsent | undefined> {
  const kit = await maybeFindOwnKit(tx, customerId, kitId)
  if (!kit) return undefined
  const entries = (await consentHistory(tx, [kitId], false)).get(kitId) ?? []
  const agreed = entries.findLast(({ type }) => type === 'agreed')
  await audit.record(tx, [{ action: 'kit.consent_viewed', objectType: 'kit', objectId: kitId }])
  return {
    kitId,
    agreedAt: agreed?.at,
    words: agreed?.consentVersion === undefined ? undefined : await maybeFindWords(tx, agreed.consentVersion),
    ...(await standingConsent(tx, kit)),
    withdrawals: entries.flatMap(({ what, at }) => (what ? [{ what, at }] : [])),
  }
}

async function maybeFindWords(tx: Tx, version: string): Promise<GivenConsent['words']> {
  try {
    return await findText(tx, version)
  } catch (err) {
    if (err instanceof AppError && err.code === 'CONSENT_TEXT_NOT_FOUND') return undefined
    throw err
  }
}

/** Takes back what a person agreed to for a kit of theirs; false if it is not theirs. A second time nothing happens. */
export async function withdrawOwnConsent(
  tx: Tx,
  customerId: number,
  kitId: string,
  what: Withdrawable,
): Promise<boolean> {
  if (!(await maybeFindOwnKit(tx, customerId, kitId))) return false
  try {
    await withdrawConsent(tx, kitId, what)
  } catch (err) {
    if (!(err instanceof AppError && err.code === 'NOTHING_TO_WITHDRAW')) throw err
  }
  return true
}
