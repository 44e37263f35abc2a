import type { ErrorMeaning } from './error-meaning.ts'

/** The codes about what is connected: webhook endpoints and shops. */
export const connectionErrorCodes = {
  WEBHOOK_NOT_FOUND: {
    status: 404,
    meaning: 'The business has no webhook endpoint with this ID in this mode.',
    remedy: 'List the endpoints, and check that the token is of the right mode.',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    meaning: 'The webhook endpoint has no delivery with this ID.',
    remedy: 'List the deliveries of the endpoint.',
  },
  SHOP_NOT_FOUND: { status: 404, meaning: 'There is no such shop.', remedy: 'Check the ID and the mode.' },
  SHOP_ORDER_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such order of this shop.',
    remedy: 'Check both IDs and the mode.',
  },
} as const satisfies Record<string, ErrorMeaning>
