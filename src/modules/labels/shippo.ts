import { z } from 'zod'
import type { ShippingPort } from '../../domain/ports.ts'
import { type Bought, client, Delay, type LabelService, type Offer, Refusal, type VoidState } from './call.ts'
import { type Consignment, chargedOf, declaredValueOf, minorOf, type Rate } from './rules.ts'
import type { Reason } from './schema.ts'

const messages = z.array(z.looseObject({ code: z.string().nullish(), text: z.string().nullish() })).nullish()

const Shipment = z.looseObject({
  object_id: z.string(),
  test: z.boolean().nullish(),
  messages,
  rates: z
    .array(
      z.looseObject({
        object_id: z.string(),
        provider: z.string(),
        servicelevel: z.looseObject({ token: z.string().nullish() }),
        amount: z.string(),
        currency: z.string(),
        test: z.boolean().nullish(),
      }),
    )
    .default([]),
})

const Transaction = z.looseObject({
  object_id: z.string(),
  status: z.string(),
  metadata: z.string().nullish(),
  // Its ID, or all of it.
  rate: z.union([z.string(), z.looseObject({ amount: z.string(), currency: z.string() })]).nullish(),
  tracking_number: z.string().nullish(),
  label_url: z.string().nullish(),
  messages,
})
type Transaction = z.infer<typeof Transaction>
const Transactions = z.looseObject({ results: z.array(Transaction) })
const Refund = z.looseObject({ status: z.string() })

// Shippo says in words why it refuses; they are not kept.
const known: readonly [RegExp, Reason][] = [
  [/customs/i, 'customs'],
  [/address|zip|postal|city|deliverable/i, 'address'],
  [/fund|payment|billing|balance|credit card/i, 'noMoney'],
  [/rate/i, 'noRate'],
]

function refusalOf(status: number, body: unknown, said: z.infer<typeof messages> = []): Refusal {
  if (status === 401 || status === 403) return new Refusal('account', `HTTP_${status}`)
  if (status === 402) return new Refusal('noMoney', 'HTTP_402')
  const text = said && said.length > 0 ? said.map((one) => one.text ?? '').join(' ') : JSON.stringify(body ?? '')
  const reason = known.find(([pattern]) => pattern.test(text))?.[1] ?? 'refused'
  return new Refusal(reason, said?.[0]?.code ?? `HTTP_${status}`)
}

function shipmentOf(id: string, { from, to, returnTo, isReturn, parcel, customs }: Consignment) {
  const weight = String(parcel.weightGrams)
  return {
    address_from: from,
    address_to: to,
    address_return: returnTo,
    parcels: [
      {
        length: String(parcel.lengthMm / 10),
        width: String(parcel.widthMm / 10),
        height: String(parcel.heightMm / 10),
        distance_unit: 'cm',
        weight,
        mass_unit: 'g',
      },
    ],
    ...(isReturn && { extra: { is_return: true } }),
    metadata: id,
    async: false,
    ...(customs && {
      customs_declaration: {
        certify: true,
        certify_signer: customs.signer,
        contents_type: 'MERCHANDISE',
        non_delivery_option: 'RETURN',
        eel_pfc: customs.exemption.replace(/[ .()]+/g, '_').replace(/_$/, ''),
        items: [
          {
            description: customs.contents,
            quantity: 1,
            net_weight: weight,
            mass_unit: 'g',
            value_amount: declaredValueOf(customs),
            value_currency: customs.currency,
            origin_country: customs.originCountry,
            tariff_number: customs.hsCode.replaceAll('.', ''),
          },
        ],
      },
    }),
  }
}

const labelTypes: Readonly<Record<string, string>> = { 'PDF 4x6': 'PDF_4x6', 'PDF A6': 'PDF_A6', 'PNG 4x6': 'PNG' }

function rateOf({ object_id: ref, provider: carrier, servicelevel, amount: text, currency }: RateAnswer): Rate[] {
  const amount = minorOf(text, currency)
  const service = servicelevel.token ?? ''
  return amount === undefined || service === '' ? [] : [{ ref, carrier, service, amount, currency }]
}
type RateAnswer = z.infer<typeof Shipment>['rates'][number]

const STARTED = ['WAITING', 'QUEUED']
const SOLD = ['SUCCESS', 'REFUNDED', 'REFUNDPENDING', 'REFUNDREJECTED']

function boughtOf({ object_id: ref, tracking_number: number, label_url: url, rate }: Transaction): Bought {
  if (!number || !url) throw new Delay('UNKNOWN_ANSWER')
  const { amount, currency } = typeof rate === 'object' && rate !== null ? rate : {}
  return { ref, number, url, charged: chargedOf(amount, currency) }
}

type States = Readonly<Record<string, VoidState>>
const voids: States = { REFUNDED: 'voided', REFUNDPENDING: 'asked', REFUNDREJECTED: 'refused' }
const refunds: States = { SUCCESS: 'voided', QUEUED: 'asked', PENDING: 'asked', ERROR: 'refused' }

/**
 * Shippo. It sells a rate as often as it is asked to: before a purchase is repeated, the transactions of the rate are looked up.
 * https://docs.goshippo.com/shippoapi/public-api
 */
export function shippo(port: ShippingPort, key: string): LabelService {
  const call = client(port, { provider: 'shippo', headers: { authorization: `ShippoToken ${key}` } }, refusalOf)
  const get = (ref: string) => call(Transaction, 'GET', `/transactions/${encodeURIComponent(ref)}`)
  return {
    async offer(id, consignment): Promise<Offer> {
      const made = await call(Shipment, 'POST', '/shipments', { body: shipmentOf(id, consignment) })
      const { object_id: ref, rates, messages } = made
      if (rates.length === 0 && messages && messages.length > 0) throw refusalOf(200, undefined, messages)
      const isTest = made.test === true || rates.some((rate) => rate.test === true)
      return { ref, isTest, rates: rates.flatMap(rateOf) }
    },
    async buy({ id, rateRef }, { format, fileType }, mayBegin) {
      const body = { rate: rateRef, label_file_type: labelTypes[`${fileType} ${format}`], metadata: id, async: false }
      const transaction = await call(Transaction, 'POST', '/transactions', { body, mayBegin })
      if (STARTED.includes(transaction.status)) return 'pending'
      if (transaction.status !== 'SUCCESS') throw refusalOf(200, undefined, transaction.messages)
      return boughtOf(transaction)
    },
    async find({ rateRef }) {
      const query = new URLSearchParams({ rate: rateRef, results: '25' })
      const { results } = await call(Transactions, 'GET', `/transactions?${query}`)
      const sold = results.find(({ status }) => SOLD.includes(status))
      if (sold) return boughtOf(sold)
      return results.some(({ status }) => STARTED.includes(status)) ? 'pending' : undefined
    },
    async askVoid({ labelRef }) {
      const body = { transaction: labelRef, async: false }
      const { status } = await call(Refund, 'POST', '/refunds', { body })
      return refunds[status] ?? 'asked'
    },
    voidState: async ({ labelRef }) => voids[(await get(labelRef ?? '')).status] ?? 'none',
  }
}
