import { aboutKit, type PersonEmail } from './templates.ts'

/** The kit arrived, and nobody registered it. */
export const remindToRegister =
  (kitId: string): PersonEmail =>
  (t) => ({
    ...aboutKit('remind_register', 'email.remind.register', ['email.remind.register.text'])(kitId)(t),
    button: { label: t('email.kitDelivered.button'), path: `/k/${kitId}` },
  })

/** It is registered, and the sample not on its way. */
export const remindToPost =
  (kitId: string): PersonEmail =>
  (t) => ({
    ...aboutKit('remind_post', 'email.remind.post', ['email.remind.post.text'])(kitId)(t),
    button: { label: t('email.kitRegistered.button'), with: t('email.remind.post.link') },
  })

/** The kit is on its way for long. */
export const remindOfParcel =
  (kitId: string): PersonEmail =>
  (t) => ({
    ...aboutKit('remind_parcel', 'email.remind.parcel', ['email.remind.parcel.text'])(kitId)(t),
    button: { label: t('email.kitDelivered.button'), path: `/k/${kitId}` },
  })

/** The sample is on its way for long. */
export const remindOfSample = aboutKit('remind_sample', 'email.remind.sample', ['email.remind.sample.text'])

/** A report was published long ago. */
export const remindToTestAgain =
  (kitId: string): PersonEmail =>
  (t) => ({
    ...aboutKit('remind_retest', 'email.remind.retest', ['email.remind.retest.text', 'email.remind.retest.how'])(kitId)(
      t,
    ),
    button: { label: t('email.reportReady.button'), with: t('email.remind.retest.link') },
  })
