import { withUsZip } from '@kitlane/display/postal-address'
import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { Leg } from '../fulfilment/rules.ts'
import type { LabelAccountInput, LabelState, Party, Reason, Recipient } from './schema.ts'

/** What a label is bought for. */
export interface Consignment {
  from: Party
  to: Party
  /** Where what cannot be delivered goes. */
  returnTo: Party
  /** The service swaps `from` and `to`: the label is for the way back, and paid when it is used. */
  isReturn: boolean
  parcel: { lengthMm: number; widthMm: number; heightMm: number; weightGrams: number }
  customs?: NonNullable<LabelAccountInput['customs']> | undefined
  /** The only one that goes there. */
  carrier?: string
  format: LabelAccountInput['format']
  fileType: LabelAccountInput['fileType']
}

export interface Rate {
  ref: string
  carrier: string
  service: string
  amount: number
  currency: string
}

/** Why a label is not as it should be, for the person at the station. */
export const wordsOf: Record<Reason, Sentence> = {
  address: sentence(
    'The carrier does not deliver to this address as it is written: correct it, or use a label of your own.',
  ),
  noRate: sentence('No carrier offers to take this parcel there: use a label of your own.'),
  noService: sentence(
    'The preferred service is not offered for this parcel: choose another, or use a label of your own.',
  ),
  currencies: sentence(
    'Carriers name their prices in several currencies: choose a preferred service in the account, or use a label of your own.',
  ),
  noMoney: sentence('The account for labels has no money left: pay into it, or use a label of your own.'),
  account: sentence('The label service does not accept the key of the account: use a label of your own.'),
  testKey: sentence(
    'The key of the account for labels is one for tests, which buys no valid labels: use a label of your own.',
  ),
  noAccount: sentence('There is no account for labels any more: use a label of your own.'),
  customs: sentence(
    'This parcel needs a customs form, and the account says nothing for customs: use a label of your own.',
  ),
  phone: sentence('A parcel abroad needs a phone number, and the order has none: use a label of your own.'),
  abroad: sentence('Return labels that are paid when used are sold within one country only: use one of your own.'),
  erased: sentence('This person was erased. Do not ship the kit.'),
  refused: sentence('The label service refused this label: use a label of your own.'),
  unavailable: sentence('The label service does not answer now and is asked again. You may use a label of your own.'),
  pending: sentence('The label service is still working on this label.'),
  noAnswer: sentence('The label service has not answered for a week: look there whether the label was bought.'),
  unclear: sentence('Whether this label was bought is being looked up. That takes some minutes.'),
  badDocument: sentence(
    'The label was bought, but its file cannot be fetched or is no label of the right size: print it at the label service.',
  ),
  price: sentence('The label service charged another price than it had offered: look there why.'),
  otherAccount: sentence('The key of the account that bought this label is gone: void it at the label service.'),
  notVoided: sentence('The carrier does not refund this label.'),
}

/** The Postal Service has the territories as states (Publication 28, appendix B). */
const posted = (party: Party): Party =>
  party.country !== 'US' && withUsZip.has(party.country) ? { ...party, state: party.country, country: 'US' } : party

const military = ['AA', 'AE', 'AP']
const islands: readonly string[] = [...withUsZip].filter((code) => code !== 'US')

/** Whether other carriers have rules of their own there, or do not go there at all. */
const isPostalOnly = ({ country, state }: Party): boolean =>
  country === 'US' && (military.includes(state) || islands.includes(state))

/** From and to there the Postal Service wants a customs form (Domestic Mail Manual, 608.2.4 and 703.2.3). */
const wantsForm = ({ country, state, zip }: Party): boolean =>
  country === 'US' && (military.includes(state) || /^(969|96799)/.test(zip))

/** What is bought for one leg of a kit, or why nothing can be. The contents are named by the operator's neutral text only. */
export function consignmentOf(
  account: LabelAccountInput,
  { kitType, recipient, leg }: { kitType: string; recipient: Recipient | undefined; leg: Leg },
): Consignment | { problem: Reason } {
  if (!recipient) return { problem: 'erased' }
  const { parcels, customs, format, fileType, sendsPhone } = account
  const sender = posted(account.sender)
  const { samplesTo = sender, returnTo = sender } = account
  const parcel = parcels.find((one) => one.kitType === kitType) ?? parcels.find((one) => one.kitType === undefined)
  if (!parcel) return { problem: 'noRate' }
  const isReturn = leg === 'toLab'
  const from = isReturn ? posted(samplesTo) : sender
  const there = posted({ name: recipient.name, ...recipient.address })
  const crosses = from.country !== there.country
  const isDeclared = crosses || wantsForm(from) || wantsForm(there)
  if (crosses && isReturn) return { problem: 'abroad' }
  if (isDeclared && !customs) return { problem: 'customs' }
  if (crosses && !recipient.phone) return { problem: 'phone' }
  const to: Party = { ...there, phone: crosses || sendsPhone ? recipient.phone : undefined }
  const { returnWeightGrams = parcel.weightGrams, ...size } = parcel
  const sent = isReturn ? { ...size, weightGrams: returnWeightGrams } : size
  const back = isReturn ? from : posted(returnTo)
  const by = isPostalOnly(from) || isPostalOnly(to) ? { carrier: 'USPS' } : {}
  return { from, to, returnTo: back, isReturn, parcel: sent, ...(isDeclared && { customs }), ...by, format, fileType }
}

/** The preferred service, or the cheapest one, among prices in the currency that most have. */
export function chooseRate(
  rates: readonly Rate[],
  { wanted, carrier }: { wanted?: LabelAccountInput['service']; carrier?: string | undefined },
): Rate | { problem: Reason } {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const fitting = rates.filter((rate) => carrier === undefined || same(rate.carrier, carrier))
  if (fitting.length === 0) return { problem: 'noRate' }
  const offered = wanted
    ? fitting.filter((rate) => same(rate.carrier, wanted.carrier) && same(rate.service, wanted.service))
    : fitting
  // A price of zero is one that the service does not know.
  const priced = offered.some(({ amount }) => amount > 0) ? offered.filter(({ amount }) => amount > 0) : offered
  const byCurrency = [...Map.groupBy(priced, ({ currency }) => currency).values()].sort((a, b) => b.length - a.length)
  const [comparable = [], next = []] = byCurrency
  if (next.length > 0 && next.length === comparable.length) return { problem: 'currencies' }
  const cheapest = [...comparable].sort((a, b) => a.amount - b.amount || (a.ref < b.ref ? -1 : 1))[0]
  return cheapest ?? { problem: 'noService' }
}

/** How many decimals a currency has: two for USD, none for JPY, three for KWD. */
const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** What customs are told that a box is worth, as "15.00". */
export const declaredValueOf = ({ valueMinor, currency }: NonNullable<Consignment['customs']>): string =>
  (valueMinor / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency))

/** An amount such as "7.58", in minor units of its currency; undefined if it is none. */
export function minorOf(text: string, currency: string): number | undefined {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text) || !/^[A-Z]{3}$/.test(currency)) return undefined
  return Math.round(Number(text) * 10 ** decimalsOf(currency))
}

/** What a service says that it charged; undefined where it does not say it. */
export function chargedOf(text: string | undefined, currency = ''): Pick<Rate, 'amount' | 'currency'> | undefined {
  const amount = text === undefined ? undefined : minorOf(text, currency)
  return amount === undefined ? undefined : { amount, currency }
}

const MINUTE_MS = 60_000
const waits = [10_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS]

/** How long after a failed try the next one is due. */
export const waitAfter = (tries: number): number => waits[Math.min(tries, waits.length) - 1] ?? MINUTE_MS

/** How long a purchase whose answer was lost may still be carried out: nothing is bought before that again. */
export const SETTLES_MS = 5 * MINUTE_MS

/** After it a label that no answer came for is left to a person. */
export const GIVEN_UP_MS = 7 * 24 * 60 * MINUTE_MS

interface Cost {
  leg: Leg
  state: LabelState
  amount: number | null
  currency: string | null
  boughtAt: Date | null
}

/** What labels cost: those that were bought and not voided. Return labels are paid when they are used, and summed apart. */
export function totalsOf(labels: readonly Cost[]): { currency: string; outbound: number; onUse: number }[] {
  const totals = new Map<string, { currency: string; outbound: number; onUse: number }>()
  for (const { leg, state, amount, currency, boughtAt } of labels) {
    if (amount === null || currency === null || boughtAt === null || state === 'voided') continue
    const total = totals.get(currency) ?? { currency, outbound: 0, onUse: 0 }
    total[leg === 'toUser' ? 'outbound' : 'onUse'] += amount
    totals.set(currency, total)
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** What the packer has to see to where specimens travel as exempt ones; undefined where nothing is said of the country. */
export const packagingOf = (
  { exemptIn }: Pick<LabelAccountInput, 'exemptIn'>,
  country: string,
): Sentence | undefined =>
  exemptIn.includes(country) || (withUsZip.has(country) && exemptIn.includes('US'))
    ? sentence(
        'The box goes back with a sample. Check that three packagings are in it: a tube that does not leak, a second one that does not leak with something that absorbs all of the sample, and a rigid box on which “Exempt human specimen” is written.',
      )
    : undefined
