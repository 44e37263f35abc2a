import { aboutKit, kitFact, type Parcel, type PersonEmail, parcelFacts } from './templates.ts'

/** Asks the recipient of a parcel that came back, or cannot be delivered, where to send it. */
export const addressWanted =
  (kitId: string): PersonEmail =>
  (t) => ({
    ...aboutKit('address_wanted', 'email.addressWanted', ['email.addressWanted.text'])(kitId)(t),
    button: {
      label: t('email.addressWanted.button'),
      with: t('email.addressWanted.link'),
      without: t('email.addressWanted.ask'),
    },
  })

/** Tells the recipient that the parcel waits to be fetched. */
export const parcelWaits =
  (kitId: string, parcel?: Parcel): PersonEmail =>
  (t) => ({
    ...aboutKit('parcel_waits', 'email.parcelWaits', ['email.parcelWaits.text'])(kitId)(t),
    facts: [kitFact(t, kitId), ...parcelFacts(t, parcel)],
  })
