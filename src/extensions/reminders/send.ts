import { newSecret } from '../../domain/ids.ts'
import { selectBrand } from '../../modules/emails/queries.ts'
import * as reminderTemplates from '../../modules/emails/reminder-templates.ts'
import type { PersonEmail } from '../../modules/emails/templates.ts'
import { emailsTo, queueEmails } from '../../modules/kits/emails.ts'
import { type KitRow, selectKitsByIds } from '../../modules/kits/queries.ts'
import {
  type NewTextMessage,
  numbersOf,
  queueTextMessages,
  translatorsOf,
} from '../../modules/text-messages/service.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { hashToken } from '../../platform/tokens.ts'
import { insertReminders, lockDue, selectAddresses, selectRules } from './queries.ts'
import { isQuiet, type Rule } from './rules.ts'
import type { Stage } from './schema.ts'

// Those that go to the person tested. The recipient of a kit has not agreed to text messages.
const keys = { post: 'text.post', sample: 'text.sample', retest: 'text.retest' } as const
const hasText = (stage: Stage): stage is keyof typeof keys => stage in keys

/** The text messages of a stage about these kits, by kit: to people who agreed to them. No word of what is tested. */
async function textsTo(tx: Tx, stage: Stage, kits: readonly KitRow[]): Promise<ReadonlyMap<string, NewTextMessage>> {
  const { publicUrl } = tx.context
  if (!hasText(stage) || !publicUrl) return new Map()
  const people = kits.flatMap(({ customerId }) => customerId ?? [])
  const [numbers, translators] = [await numbersOf(tx, people), await translatorsOf(tx, people)]
  const { name: business } = await selectBrand(tx)
  return new Map(
    kits.flatMap(({ id, orderId, customerId }) => {
      const [to, t] = customerId === null ? [] : [numbers.get(customerId), translators.get(customerId)]
      if (!to || !t) return []
      const values = { business, kit: id, url: `${publicUrl}${stage === 'post' ? `/k/${id}` : '/r'}` }
      const text = `${t(keys[stage], values)} ${t('text.stop')}`
      return [[id, { kind: `text_${stage}` as const, to, text, orderId, kitId: id }] as const]
    }),
  )
}

export const REMIND_JOB = 'reminders.send'

/** What a reminder says. */
export const contentOf: Readonly<Record<Stage, (kitId: string) => PersonEmail>> = {
  register: reminderTemplates.remindToRegister,
  post: reminderTemplates.remindToPost,
  parcel: reminderTemplates.remindOfParcel,
  sample: reminderTemplates.remindOfSample,
  retest: reminderTemplates.remindToTestAgain,
}

// To whom the kit was sent; the others go to the person tested.
const toRecipient: ReadonlySet<Stage> = new Set(['register', 'parcel'])
// A batch opens this many orders, and holds their kits for some 50 ms.
const AT_ONCE = 100

/** The rules of the realm, each with the kit types that it leaves to others. */
export async function rulesToSend(tx: Tx): Promise<{ rule: Rule; except: string[] }[]> {
  const rules = await selectRules(tx)
  return rules.map((rule) => ({
    rule,
    except: rules.flatMap(({ stage, kitType }) => (stage === rule.stage && kitType !== '' ? [kitType] : [])),
  }))
}

/**
 * Sends what is due by a rule, of up to 100 kits after one: each once, however many do so at the same time, and in the
 * transaction that saw that it is still due. In live it waits where it is night. Returns the last kit; undefined: no more.
 */
export async function sendDue(
  tx: Tx,
  { rule, except }: { rule: Rule; except: readonly string[] },
  after: string,
): Promise<string | undefined> {
  const { stage } = rule
  // Nobody has to be reminded of another test: it is not sent without a way to stop it.
  if (stage === 'retest' && !tx.context.publicUrl) return undefined
  const due = await lockDue(tx, rule, { except, after, limit: AT_ONCE })
  const kits = new Map(
    (
      await selectKitsByIds(
        tx,
        due.map(({ kitId }) => kitId),
      )
    ).map((kit) => [kit.id, kit]),
  )
  const addresses = await selectAddresses(
    tx,
    [...kits.values()].map(({ orderId }) => orderId),
  )
  const isLive = tx.realm.mode === 'live'
  const texts = rule.by === 'text' ? await textsTo(tx, stage, [...kits.values()]) : new Map<string, NewTextMessage>()
  const written = due.flatMap(({ kitId, number }) => {
    const kit = kits.get(kitId)
    if (!kit || (isLive && isQuiet(addresses.get(kit.orderId) ?? null, tx.now))) return []
    const content = contentOf[stage](kitId)
    const [email] = emailsTo(kit, toRecipient.has(stage) ? { recipient: content } : { person: content })
    return email ? [{ kitId, number, email, text: texts.get(kitId), secret: newSecret() }] : []
  })
  const isNew = await insertReminders(
    tx,
    written.map(({ kitId, number, text, secret }) => ({
      kitId,
      stage,
      number,
      by: text ? ('text' as const) : ('email' as const),
      stopHash: hashToken(secret),
      toPerson: !toRecipient.has(stage),
    })),
  )
  const of = stage === 'retest' ? ('person' as const) : ('kit' as const)
  const fresh = written.filter(({ kitId }) => isNew.has(kitId))
  await queueEmails(
    tx,
    fresh.flatMap(({ email, text, secret }) => (text ? [] : [{ ...email, stop: { secret, of } }])),
  )
  await queueTextMessages(
    tx,
    fresh.flatMap(({ text }) => text ?? []),
  )
  return due.length < AT_ONCE ? undefined : due.at(-1)?.kitId
}
