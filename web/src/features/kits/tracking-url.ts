import { t } from '../../language/t.ts'

/** The carrier's tracking page of a parcel; undefined for other carriers. */
export function trackingUrl(carrier: string, number: string): string | undefined {
  const n = encodeURIComponent(number)
  const name = carrier.toLowerCase().replace(/[^a-z]/g, '')
  if (name.startsWith('usps')) return `https://tools.usps.com/go/TrackConfirmAction?tLabels=${n}`
  if (name.startsWith('ups')) return `https://www.ups.com/track?tracknum=${n}`
  if (name.startsWith('fedex')) return `https://www.fedex.com/fedextrack/?trknbr=${n}`
  if (name.startsWith('dhl')) return `https://www.dhl.com/en/express/tracking.html?AWB=${n}`
  return undefined
}

/** What the parcel to the person is called. */
export const outwardWords = ({ isToAddressBefore }: { isToAddressBefore?: true }): string =>
  isToAddressBefore ? t('To the address before its correction') : t('To the person')
