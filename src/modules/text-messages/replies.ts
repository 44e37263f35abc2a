import { maybeFindLanguage, translatorOf } from '../../domain/translations/translator.ts'
import type { Actor, Database } from '../../platform/database/tx.ts'
import * as customers from '../customers/service.ts'
import { selectBrand } from '../emails/queries.ts'
import { type ConsentOfNumber, deleteStop, insertStop, selectConsentsOfNumber } from './queries.ts'
import { type Reply, replyOf } from './rules.ts'
import { agree, end, queueUnscheduled } from './service.ts'

const actor: Actor = { name: 'text-messages' }

const optOutTypes: Readonly<Record<string, Reply>> = { STOP: 'stop', START: 'start', HELP: 'help' }

/** What Twilio made of it counts too: an operator may set other words there. STOP wins, whichever of the two read it. */
function meant(body: string, optOutType: string | null): Reply | undefined {
  const read = replyOf(body)
  return read === 'stop' ? read : (optOutTypes[optOutType?.trim().toUpperCase() ?? ''] ?? read)
}

/**
 * What somebody answered from a number. STOP ends the text messages of every business to it, and of those that ask later; START
 * begins those again that an answer ended; HELP is answered, unless the carrier did. Anything else changes nothing.
 */
export async function receiveReply(
  database: Database,
  { from, body, optOutType }: { from: string; body: string; optOutType: string | null },
): Promise<void> {
  const reply = meant(body, optOutType)
  if (!reply) return
  if (reply === 'stop') await database.asSystem(actor, (tx) => insertStop(tx, from, 'reply'))
  if (reply === 'start') await database.asSystem(actor, (tx) => deleteStop(tx, from, 'reply'))
  const consents = await database.asSystem(actor, (tx) => selectConsentsOfNumber(tx, from))
  const chosen =
    reply === 'help'
      ? consents.filter(({ endedAt }) => endedAt === null).slice(0, optOutType === null ? 1 : 0)
      : consents
  for (const consent of chosen) await take(database, reply, consent)
}

const take = (database: Database, reply: Reply, consent: ConsentOfNumber) =>
  database.inRealm(consent.realm, actor, async (tx) => {
    const { customerId, phone, wording, ip, endedBy } = consent
    if (reply === 'stop') await end(tx, customerId, 'reply')
    else if (reply === 'start') {
      if (endedBy === 'reply' || endedBy === 'carrier')
        await agree(tx, customerId, { phone, wording, ip, source: 'reply', at: tx.now })
    } else {
      const t = translatorOf(maybeFindLanguage([await customers.languageOf(tx, customerId)]) ?? 'en')
      const { name, contactEmail } = await selectBrand(tx)
      const text = contactEmail
        ? t('text.helpWrite', { business: name, email: contactEmail })
        : t('text.help', { business: name })
      await queueUnscheduled(tx, { kind: 'text_help', to: phone, text })
    }
  })
