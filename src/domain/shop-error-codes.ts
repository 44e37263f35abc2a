import type { ErrorMeaning } from './error-meaning.ts'

/** Refusals about shops of businesses and their orders. */
export const shopErrorCodes = {
  SHOP_NOT_FOUND: { status: 404, meaning: 'There is no such shop.', remedy: 'Check the ID and the mode.' },
  SHOP_ORDER_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such order of this shop.',
    remedy: 'Check both IDs and the mode.',
  },
} as const satisfies Record<string, ErrorMeaning>
