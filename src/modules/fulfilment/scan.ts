import { type Sentence, sentence } from '@kitlane/display/sentence'
import { normalizeId } from '@kitlane/display/short-id'
import { AppError } from '../../domain/errors.ts'
import { type SystemTx, within } from '../../platform/database/tx.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { maybeFindRow as maybeFindHold, toHeld } from '../holds/record.ts'
import { isTestingStopped } from '../kits/consent/withdraw.ts'
import { refusalOfRegistered } from '../kits/for-whom.ts'
import { selectKitsByIds } from '../kits/queries.ts'
import { selectRecallOf } from '../kits/recall-queries.ts'
import { findKit, kitNotFound } from '../kits/records.ts'
import { unsendable } from '../kits/replace.ts'
import type { KitRecord } from '../kits/schema.ts'
import { NEVER_ARRIVED } from '../lab/messages/samples.ts'
import type { Address } from '../orders/address-schema.ts'
import { isSquareCode, maybeFindBoxOfKit, maybeFindKitOfBox } from '../stock/find.ts'
import type { UndeliveredRow } from '../undelivered/queries.ts'
import { toUndelivered } from '../undelivered/record.ts'
import { maybeFindRow } from '../undelivered/service.ts'
import { todoOf } from '../undelivered/words.ts'
import { countQueue, type PackRow, selectAtWarehouse, selectQueue, selectScanned } from './queries.ts'
import { trackingNumberOf } from './rules.ts'
import type { KitToPack, Recipient, Scanned } from './schema.ts'

const DAY_MS = 24 * 3600 * 1000

interface RecipientColumns {
  firstName: string | null
  lastName: string | null
  phone: string | null
  address: Address | null
}

function recipientOf({ firstName, lastName, phone, address }: RecipientColumns): Recipient | undefined {
  if (firstName === null || address === null) return undefined
  return { name: [firstName, lastName].filter(Boolean).join(' '), ...address, ...(phone && { phone }) }
}

/** Live kits of all businesses, or of some, that wait to be packed, oldest first. */
export async function listQueue(
  tx: SystemTx,
  query: { businessIds?: readonly string[] | undefined; page: number; size: number },
): Promise<{ kits: KitToPack[]; total: number }> {
  const total = await countQueue(tx, query.businessIds)
  const rows = await selectQueue(tx, query)
  return { kits: rows.map((row) => toKitToPack(row, tx.now)), total }
}

/** A kit that waits to be packed; undefined when it does not. */
export async function findQueued(tx: SystemTx, kitId: string): Promise<KitToPack | undefined> {
  const [row] = await selectQueue(tx, { kitId, page: 0, size: 1 })
  return row && toKitToPack(row, tx.now)
}

function toKitToPack(row: PackRow, now: Date): KitToPack {
  const recipient = recipientOf(row)
  return {
    kitID: row.kitId,
    kitType: publicKitType(row.kitType),
    panelName: row.panelName,
    orderID: row.orderId,
    business: { id: row.businessId, name: row.businessName },
    ...(recipient && { recipient }),
    orderedDate: row.createdAt.toISOString(),
    waitingDays: Math.floor((now.getTime() - row.createdAt.getTime()) / DAY_MS),
    kitsInOrder: row.kitsInOrder,
    ...(row.replacementFor && { replacementFor: row.replacementFor }),
  }
}

/**
 * The live kit that a code means, and what to do with it: a kit's ID, a tracking number, or a laboratory's accession.
 * Where to it is posted is shown with `recipient` only. @throws KIT_NOT_FOUND
 */
export async function scan(tx: SystemTx, code: string, show: { recipient: boolean }): Promise<Scanned> {
  // The code on a box is the address where it is registered.
  const text = /\/k\/([^/?#]+)/.exec(code)?.[1] ?? code.trim()
  const found = await selectScanned(tx, { kitId: normalizeId(text), text, number: trackingNumberOf(text) })
  const inBox = await maybeFindKitOfBox(tx, code)
  const isOther = inBox !== undefined && found.every(({ kitId }) => kitId !== inBox)
  if (isOther && found[0] && !isSquareCode(code, tx)) throw ambiguous(found[0].kitId, inBox)
  const [first, ...rest] = isOther ? await selectScanned(tx, { kitId: inBox, text: inBox, number: inBox }) : found
  if (!first) throw kitNotFound()
  const realm = within(tx, first.realm)
  const kit = await findKit(realm, first.kitId)
  const recipient = show.recipient ? recipientOf(first) : undefined
  const box = await maybeFindRow(realm, first.kitId)
  const sealedBox = await maybeFindBoxOfKit(realm, first.kitId)
  const recall = await selectRecallOf(realm, first.kitId)
  const hold = await maybeFindHold(realm, first.kitId)
  const [row] = await selectKitsByIds(realm, [first.kitId])
  const isForPerson = !row || !(await refusalOfRegistered(realm, row))
  const isToPack = row && kit.kitStatus === 'preparing'
  const isSendable = !isToPack || (await unsendable(realm, [row])).size === 0
  return {
    kit,
    others: rest.map(({ kitId }) => kitId),
    business: { id: first.realm.businessId, name: first.businessName },
    panelName: first.panelName,
    ...(recipient && { recipient }),
    ...(first.accession && { accession: first.accession }),
    ...(first.deliveredAt && { atTheDoorSince: first.deliveredAt.toISOString() }),
    ...((await isTestingStopped(realm, first.kitId))
      ? notToTest
      : recall && kit.sampleStatus !== 'rejected' && (recall.stopsUse || recall.rejectsSample)
        ? recalled
        : kit.kitStatus === 'preparing' && (await selectAtWarehouse(tx, [first.kitId])).size > 0
          ? {
              expected: 'nothing' as const,
              sentence: sentence('A warehouse packs this kit. Do not send it from here.'),
            }
          : {
              ...whatToDo(kit, box, recall !== undefined),
              ...cautionOf(kit, { lacksConsent: first.lacksConsent, isForPerson, isSendable }),
              ...questionOf(kit, box),
            }),
    ...(box && { undelivered: toUndelivered(box) }),
    ...(sealedBox && { box: sealedBox }),
    ...(hold && { hold: toHeld(hold) }),
  }
}

/** A serial number may be a tracking number or an accession of another kit. Which is in the hand is not known: neither counts. */
const ambiguous = (one: string, other: string): AppError =>
  new AppError(
    'KIT_NOT_FOUND',
    sentence(
      'This code is that of kit {one}, and the serial number of the box of kit {other}. Scan the code of the kit, or the square code of the box.',
      { one, other },
    ),
  )

const notToTest: Pick<Scanned, 'expected' | 'sentence'> = {
  expected: 'nothing',
  sentence: sentence(
    'The person took back the consent to this test. Do not test this sample: reject it, and destroy it.',
  ),
}

const recalled: Pick<Scanned, 'expected' | 'sentence'> = {
  expected: 'nothing',
  sentence: sentence('This kit was recalled. Do not send it or test a sample from it: set it apart, and destroy it.'),
}

const withResults = sentence(
  'This kit, or what its sample was tested with, was recalled. Do not use its results before you have read the recall.',
)

function whatToDo(
  { kitStatus, sampleStatus, progress, replacedBy }: KitRecord,
  box: UndeliveredRow | undefined,
  isRecalled: boolean,
): Pick<Scanned, 'expected' | 'sentence'> {
  const happened = (type: string) => progress.find((step) => step.type === type)?.date
  const nothing = (words: Sentence) => ({ expected: 'nothing' as const, sentence: words })
  const intake = (words: Sentence) => ({ expected: 'intake' as const, sentence: words })
  if (kitStatus === 'canceled') return nothing(sentence('This order was canceled. Put the kit back into stock.'))
  if (kitStatus === 'preparing')
    return { expected: 'pack', sentence: sentence('Pack this kit: scan the label out, then the return label.') }
  if (sampleStatus === 'rejected') return nothing(sentence('This sample was rejected. Nothing more to do.'))
  if (isRecalled && happened('reportReady')) return nothing(withResults)
  if (happened('reportReady')) return nothing(sentence('This sample has its results. Nothing more to do.'))
  const receivedOn = happened('sampleReceived')
  if (receivedOn) return nothing(sentence('This sample was taken in on {date}.', { date: receivedOn }))
  if (kitStatus === 'registrationException') {
    return nothing(
      sentence('The registration of this kit is in doubt. Set it aside and tell a person who can clear it.'),
    )
  }
  if (box?.state === 'readyToSend' && !box.isErased) return { expected: 'sendAgain', sentence: todoOf(box) }
  if (box?.isWithNobody) return nothing(todoOf(box))
  if (kitStatus === 'deliveryException') {
    return nothing(
      replacedBy
        ? sentence('This kit was replaced. Set it aside.')
        : sentence('This kit did not reach the recipient. Set it aside; the business can order a replacement.'),
    )
  }
  if (!happened('kitRegistered'))
    return intake(sentence('Nobody has registered this kit. Take the sample in; its results wait until somebody does.'))
  return intake(sentence('Take this sample in.'))
}

/** Before a sample is taken in of a kit that is with nobody. */
function questionOf({ progress }: KitRecord, box: UndeliveredRow | undefined): Pick<Scanned, 'question'> {
  const isUsed = progress.some(({ type, date }) => type === 'sampleReceived' && date !== undefined)
  return box?.isWithNobody && !isUsed ? { question: NEVER_ARRIVED } : {}
}

function cautionOf(
  { progress }: KitRecord,
  { lacksConsent, isForPerson, isSendable }: Record<'lacksConsent' | 'isForPerson' | 'isSendable', boolean>,
): Pick<Scanned, 'caution'> {
  if (!isSendable)
    return { caution: sentence('This test is no longer offered at this address: ask before it is packed.') }
  const isRegistered = progress.some(({ type, date }) => type === 'kitRegistered' && date !== undefined)
  if (!isRegistered)
    return { caution: sentence('Nobody has registered this kit: its results will wait until somebody does.') }
  if (!isForPerson)
    return {
      caution: sentence(
        'This test is not for the person as they are recorded now, not where they live, or not without a guardian: ask before it is tested.',
      ),
    }
  if (!lacksConsent) return {}
  return {
    caution: sentence('Nobody has consented to this test, and the business requires it: ask before it is tested.'),
  }
}
