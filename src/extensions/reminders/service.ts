import { AppError } from '../../domain/errors.ts'
import { translatorOf } from '../../domain/translations/translator.ts'
import * as audit from '../../modules/audit/service.ts'
import { settings } from '../../modules/businesses/service.ts'
import { internalKitType, publicKitType } from '../../modules/catalogue/kit-type.ts'
import { provisioned } from '../../modules/catalogue/service.ts'
import { render } from '../../modules/emails/layout.ts'
import { selectBrand } from '../../modules/emails/queries.ts'
import * as emails from '../../modules/emails/service.ts'
import { selectKitsByIds } from '../../modules/kits/queries.ts'
import { kitNotFound } from '../../modules/kits/records.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import { replaceRules, selectRules, selectSent, selectStanding } from './queries.ts'
import { nextOf } from './rules.ts'
import type { KitReminders, ReminderLook, ReminderPreview, ReminderRules, ReminderRulesInput } from './schema.ts'
import { contentOf } from './send.ts'

// The placeholder for the ID of a kit in a preview.
const EXAMPLE_KIT = 'K000000000'

/** The rules of the realm, by stage. */
export async function reminderRules(tx: Tx): Promise<ReminderRules> {
  const rules = await selectRules(tx)
  return {
    rules: rules.map(({ stage, kitType, afterDays, everyDays, times, by, since }) => ({
      stage,
      ...(kitType !== '' && { panel: publicKitType(kitType) }),
      afterDays,
      ...(everyDays !== null && { everyDays }),
      times,
      by,
      sinceDate: since.toISOString(),
    })),
  }
}

/** Replaces the rules of the realm. One that stays as it is counts from when it did before. @throws VALIDATION_FAILED */
export async function changeRules(tx: Tx, { rules }: ReminderRulesInput): Promise<ReminderRules> {
  const known = new Set((await provisioned(tx)).map(({ kitType }) => kitType))
  const wanted = rules.map(({ panel, everyDays, ...rule }) => ({
    ...rule,
    kitType: panel === undefined ? '' : internalKitType(panel),
    everyDays: everyDays ?? null,
  }))
  const seen = new Set<string>()
  const problems = wanted.flatMap(({ stage, kitType, times, everyDays }, index) => {
    const key = `${stage} ${kitType}`
    const isDouble = seen.has(key)
    seen.add(key)
    const at = (name: string, message: string) => ({ message, path: `rules.${index}.${name}` })
    return [
      ...(kitType !== '' && !known.has(kitType) ? [at('panel', 'This panel cannot be ordered here')] : []),
      ...(isDouble ? [at('stage', 'There are two rules for this stage and panel')] : []),
      ...(times > 1 && everyDays === null ? [at('everyDays', 'Say after how many days the next one is sent')] : []),
      ...(times === 1 && everyDays !== null
        ? [at('times', 'Of one that is repeated, say how many there are in all')]
        : []),
    ]
  })
  if (problems.length > 0) refuse(problems)
  const before = await reminderRules(tx)
  await replaceRules(tx, wanted)
  const details = { rules: wanted.length, stages: [...new Set(wanted.map(({ stage }) => stage))], before }
  await audit.record(tx, [
    { action: 'reminders.changed', objectType: 'business', objectId: tx.realm.businessId, details },
  ])
  return reminderRules(tx)
}

/** What a reminder looks like, of no kit. */
export async function preview(tx: Tx, { stage, language }: ReminderLook): Promise<ReminderPreview> {
  const t = translatorOf(language)
  const { publicUrl = '' } = tx.context
  const content = contentOf[stage](EXAMPLE_KIT)(t)
  const stop = { label: t(`email.stop.${stage === 'retest' ? 'person' : 'kit'}`), url: `${publicUrl}/u/…` }
  const url = `${publicUrl}${content.button?.path ?? '/r/…'}`
  return render(content, await selectBrand(tx), { url, stop, t })
}

/** Sends one, of no kit, to the business itself; that of a sandbox is only kept. @throws CONTACT_EMAIL_MISSING */
export async function sendTest(tx: Tx, { stage, language }: ReminderLook): Promise<{ to: string }> {
  const { contactEmail } = await settings(tx)
  if (contactEmail === null) {
    throw new AppError('CONTACT_EMAIL_MISSING', 'Set `contactEmail` in the settings first: a test goes to that address')
  }
  await emails.queue(tx, [{ content: contentOf[stage](EXAMPLE_KIT), language, to: contactEmail }])
  return { to: contactEmail }
}

/** What was sent about a kit, and what comes next. @throws KIT_NOT_FOUND */
export async function remindersOfKit(tx: Tx, kitId: string): Promise<KitReminders> {
  const [kit] = await selectKitsByIds(tx, [kitId.toUpperCase()])
  if (!kit) throw kitNotFound()
  const sent = await selectSent(tx, kit.id)
  const standing = await selectStanding(tx, kit.id)
  const { notify, kitType, updatedAt } = kit
  const next = nextOf(
    await selectRules(tx),
    { stage: undefined, since: updatedAt, isStopped: false, ...standing, notify, kitType },
    sent,
    tx.now,
  )
  return {
    sent: sent.map(({ stage, number, sentAt, toPerson, by }) => ({
      stage,
      number,
      sentDate: sentAt.toISOString(),
      by,
      to: toPerson ? ('person' as const) : ('recipient' as const),
    })),
    ...next,
  }
}
