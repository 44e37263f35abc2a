import type { components } from '@kitlane/client'
import { dayOf } from '../../../components/relative-date.tsx'
import { locale, t } from '../../../language/t.ts'

type Schemas = components['schemas']
export type Funnel = Schemas['Funnel']
export type Turnaround = Schemas['Turnaround']
export type Promises = Schemas['Promises']
export type Rejections = Schemas['Rejections']
export type CreditsUsed = Schemas['CreditsUsed']

export const steps = [
  ['ordered', t('Ordered')],
  ['delivered', t('Delivered')],
  ['registered', t('Registered')],
  ['returned', t('Sample returned')],
  ['received', t('Sample received')],
  ['reported', t('Reported')],
] as const

export const legNames: Record<Turnaround['legs'][number]['leg'], string> = {
  orderedToShipped: t('Ordered to shipped'),
  shippedToDelivered: t('Shipped to delivered'),
  deliveredToRegistered: t('Delivered to registered'),
  registeredToReturned: t('Registered to returned'),
  registeredToReceived: t('Registered to received'),
  receivedToReported: t('Received to reported'),
  orderedToReported: t('Ordered to reported'),
}

const whole = new Intl.NumberFormat(locale())
const tenths = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1, minimumFractionDigits: 1 })
const percent = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 })
const month = new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' })

export const countOf = (count: number): string => whole.format(count)
export const percentOf = (share: number): string => percent.format(share)

/** Hours below two days, else days: "31.0 h", "4.2 days". */
export const timeOf = (hours: number): string =>
  hours < 48 ? `${tenths.format(hours)} h` : t('{days} days', { days: tenths.format(hours / 24) })

/** The first day of a week, or the name of a month. */
export const cohortOf = (date: string, per: string | undefined): string =>
  per === 'month' ? month.format(new Date(date)) : dayOf(date)
