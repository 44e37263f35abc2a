import type { ErrorMeaning } from './error-meaning.ts'

/** Error codes of what may be ordered, of credits, cards and receipts. */
export const paymentErrorCodes = {
  KIT_TYPE_NOT_PROVISIONED: {
    status: 400,
    meaning: 'The business may not order one of the kit types.',
    remedy: 'Order the kit types of `GET /panels`, or ask the operator to provision the others.',
  },
  ORDER_NOT_ALLOWED: {
    status: 400,
    meaning: 'A panel is not offered at this address, or not so many of its kits in one order.',
    remedy: 'Change the fields in `details`; `GET /panels` has `offeredIn`, `notOfferedIn` and `maxPerOrder`.',
  },
  ORDER_CHANGED: {
    status: 409,
    meaning: 'The order, or what is known of its recipient, changed since a provider read it. Nothing was decided.',
    remedy: 'Read `GET /operator/v1/approvals/{orderID}` again, and decide with its `version`.',
  },
  PROVIDER_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such provider.',
    remedy: 'Check the ID or the NPI: `GET /operator/v1/providers` lists them.',
  },
  PROVIDER_NOT_ALLOWED: {
    status: 403,
    meaning: 'This provider may not decide on this order, or you may not decide as them.',
    remedy:
      'The message says why. A provider is active, licensed where the recipient lives, and signed in with their own e-mail.',
  },
  NOT_ENOUGH_CREDITS: {
    status: 409,
    otherStatus: 400,
    meaning: 'The credits do not suffice. The status is 400 where the request itself allows only credits.',
    remedy: 'Order fewer kits, choose another `paymentMethod`, or ask the operator for credits.',
  },
  PAYMENT_METHOD_MISSING: {
    status: 409,
    meaning: 'The order needs a card, and the business has no payment method attached.',
    remedy: 'Attach one with `POST /payment-methods`, or pay with credits.',
  },
  PURCHASING_DISABLED: {
    status: 409,
    meaning: 'The settings of the business do not allow purchases by card.',
    remedy: 'Turn on `purchasingEnabled` with `PATCH /settings`, or pay with credits.',
  },
  PAYMENT_FAILED: {
    status: 402,
    meaning: 'The card was declined, or the kits have no price.',
    remedy: 'Use another card. If the kits have no price, ask the operator to set one.',
  },
  PAYMENT_METHOD_NOT_FOUND: {
    status: 404,
    meaning: 'The business has no saved payment method with this ID.',
    remedy: 'Take an ID from `GET /payment-methods`.',
  },
  RECEIPT_NOT_FOUND: {
    status: 404,
    meaning: 'The payment has no such receipt: it was not charged.',
    remedy: 'Take payment and number from `GET /payments`.',
  },
} as const satisfies Record<string, ErrorMeaning>
