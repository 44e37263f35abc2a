import { z } from 'zod'
import { internalKitType } from '../../modules/catalogue/kit-type.ts'
import { Recipient } from '../../modules/orders/schema.ts'
import { anyText, countryCode, Pagination, text, timestamp } from '../../platform/http/fields.ts'

export const shopKinds = ['woocommerce', 'shopify'] as const
export type ShopKind = (typeof shopKinds)[number]

const MAX_ITEMS = 1000

const product = {
  sku: text(255).optional().describe('The SKU of the product.'),
  variantID: text(64).optional().describe('The ID of the variant in the shop.'),
  productID: text(64).optional().describe('The ID of the product in the shop.'),
  title: text(500).optional().describe('Its title, for a line that has none of these, such as a tip.'),
}

const isOneProduct = (item: { sku?: string; variantID?: string; productID?: string; title?: string }) =>
  [item.sku, item.variantID, item.productID, item.title].filter((one) => one !== undefined).length === 1

const NewItem = z
  .object({
    ...product,
    kitType: text(100).transform(internalKitType).optional().describe('The kit that it is. Absent: it is not a kit.'),
    quantity: z.int().min(1).max(100).optional().describe('Kits in one of it; 1 by default.'),
  })
  .refine(isOneProduct, { error: 'Send one of sku, variantID, productID and title' })
  .meta({ id: 'ShopItemInput' })
export type ShopItem = z.infer<typeof NewItem>

const productOf = ({ sku, variantID, productID, title }: ShopItem): string =>
  JSON.stringify([sku, variantID, productID, title])
const kitsOf = ({ kitType, quantity = 1 }: ShopItem): string => JSON.stringify(kitType ? [kitType, quantity] : [])

const NewItems = z
  .array(NewItem)
  .max(MAX_ITEMS)
  .superRefine((items, context) => {
    const kitsOfProduct = new Map<string, string>()
    for (const [index, item] of items.entries()) {
      const before = kitsOfProduct.get(productOf(item)) ?? kitsOf(item)
      kitsOfProduct.set(productOf(item), before)
      if (before !== kitsOf(item))
        context.addIssue({
          code: 'custom',
          path: [index],
          message: 'An item above says something else of this product',
        })
    }
  })

const url = text(500).describe('`https://` and the host: of Shopify the one that ends with .myshopify.com.')
const webhookSecret = text(255).describe(
  'What the shop signs its webhooks with: of Shopify the client secret of the app, of WooCommerce a secret of yours.',
)
const accessToken = text(500).describe('Of Shopify: the Admin API access token, which writes tracking back.')
const consumerKey = text(255).describe('Of WooCommerce: the key of its REST API, with read and write access.')
const consumerSecret = text(255).describe('Of WooCommerce: the secret of that key.')

const terms = {
  enabled: z.boolean().describe('false: what the shop sends is kept, and nothing is placed.'),
  items: NewItems.describe('Which products are which kits.'),
  countries: z
    .array(countryCode)
    .min(1)
    .max(250)
    .nullable()
    .describe('Where orders are sent to; null: everywhere. Others wait for a person.'),
  isNotifyReceiver: z.boolean().describe('Whether the recipient hears of order and kit changes by e-mail.'),
  isNotifyBuyer: z.boolean().describe('Whether the shop e-mails the buyer when tracking is written back.'),
  paymentMethod: z
    .enum(['credits', 'card'])
    .nullable()
    .describe('What pays. null: credits, else what the settings say.'),
}

export const NewShop = z.object({
  kind: z.enum(shopKinds),
  url,
  webhookSecret: webhookSecret.optional(),
  ...z.object({ accessToken, consumerKey, consumerSecret }).partial().shape,
  enabled: terms.enabled.default(true),
  items: terms.items.default([]),
  countries: terms.countries.default(null),
  isNotifyReceiver: terms.isNotifyReceiver.default(true),
  isNotifyBuyer: terms.isNotifyBuyer.default(true),
  paymentMethod: terms.paymentMethod.default(null),
})
export type NewShop = z.infer<typeof NewShop>

export const ChangeShop = z
  .object({
    ...terms,
    accessToken: accessToken.nullable().describe('Of Shopify; null: none.'),
    consumerKey: consumerKey.nullable().describe('Of WooCommerce; null: none.'),
    consumerSecret,
  })
  .partial()
export type ChangeShop = z.infer<typeof ChangeShop>

export const NewSecret = z.object({
  webhookSecret: webhookSecret.optional().describe('The new secret. Absent, for WooCommerce: one is made.'),
})

export const ShopItemInput = NewItem

const shownProduct = {
  sku: z.string().optional(),
  variantID: z.string().optional().describe('The ID of the variant in the shop.'),
  productID: z.string().optional().describe('The ID of the product in the shop.'),
  title: z.string().optional().describe('Its title, for a line that has none of these.'),
}

const ShownItem = z.object({
  ...shownProduct,
  kitType: z.string().optional().describe('Absent: it is not a kit.'),
  quantity: z.int().optional().describe('Kits in one of it.'),
})

export const Shop = z
  .object({
    shopID: z.string().describe("The shop's ID."),
    kind: z.enum(shopKinds),
    url: z.string(),
    enabled: z.boolean(),
    connected: z.boolean().describe('false: it was disconnected, and its orders are kept.'),
    hookUrl: z.string().describe('The address to which the shop sends its webhooks.'),
    writesBack: z.boolean().describe('Whether tracking is written back to the shop.'),
    items: z.array(ShownItem),
    countries: z.array(z.string()).nullable().describe('Where orders are sent to; null: everywhere.'),
    isNotifyReceiver: z.boolean(),
    isNotifyBuyer: z.boolean().describe('Whether the shop e-mails tracking to its buyer.'),
    paymentMethod: z.enum(['credits', 'card']).nullable(),
    createdDate: timestamp,
    heardDate: timestamp.optional().describe('When the shop last sent something.'),
    waiting: z.int().describe('How many of its orders wait for a person.'),
    webhookSecret: z.string().optional().describe('Shown once, when it was made here.'),
  })
  .meta({ id: 'Shop' })
export type Shop = z.infer<typeof Shop>

export const RotatedSecret = z.object({
  webhookSecret: z.string().optional().describe('Shown once, where it was made here.'),
})

export const shopOrderStatuses = [
  'unpaid',
  'waiting',
  'retrying',
  'placing',
  'placed',
  'canceled',
  'skipped',
  'failed',
] as const
export type ShopOrderStatus = (typeof shopOrderStatuses)[number]

export const waitReasons = [
  'before_connection',
  'unknown_item',
  'recipient_incomplete',
  'country_not_served',
  'test_order',
  'partly_refunded',
  'quantity_unclear',
  'state_unclear',
  'not_placeable',
  'too_many_kits',
  'shop_off',
  'payment_pending',
  'unpaid_after_order',
  'fulfilled_elsewhere',
  'canceled_too_late',
  'changed_after_order',
  'reopened',
  'erasure_requested',
  'copy_requested',
] as const
export type WaitReason = (typeof waitReasons)[number]

/** Why an order is left alone that nobody dismissed. */
export const skipReasons = ['no_kits', 'fulfilled'] as const
export type SkipReason = (typeof skipReasons)[number]

export const ShopOrderRecord = z
  .object({
    shopOrderID: z.string().describe("The shop order's ID."),
    shopID: z.string().describe("The shop's ID."),
    externalID: z.string().describe("The shop's ID of the order."),
    number: z.string().describe('The number that buyer and shop call it by.'),
    status: z
      .enum(shopOrderStatuses)
      .describe(
        'unpaid: it waits for its payment in the shop. waiting: a person decides, see `reason`. retrying: not paid for here, tried daily. placing: its card is being charged. skipped: without kits, fulfilled, or dismissed. failed: seven more days did not help.',
      ),
    reason: z
      .string()
      .optional()
      .describe(
        `Why it waits: ${waitReasons.join(', ')}; or the code of the refusal; or why it was skipped: ${skipReasons.join(', ')}, dismissed, erased.`,
      ),
    unknownItems: z
      .array(z.object({ ...shownProduct, title: z.string() }))
      .optional()
      .describe('Products that nothing is said of.'),
    lacks: z.array(z.string()).optional().describe('Which fields of the recipient are missing or wrong.'),
    orderId: z.string().optional().describe('The order that was placed for it.'),
    recipientEmail: z.string().optional().describe('The recipient fields are absent once the person was erased.'),
    recipientName: z.string().optional(),
    retryDate: timestamp.optional(),
    attempts: z.int().describe('How often placing it was tried.'),
    tracking: z
      .object({
        status: z.enum(['told', 'due', 'failed']),
        numbers: z.array(z.string()).describe('The tracking numbers that the shop got.'),
        code: z.string().optional().describe('Why the last update failed.'),
      })
      .optional()
      .describe('What the shop got; absent before a parcel has left.'),
    createdDate: timestamp,
    changedDate: timestamp,
  })
  .meta({ id: 'ShopOrder' })
export type ShopOrderRecord = z.infer<typeof ShopOrderRecord>

export const ShopOrderPage = z.object({ data: z.array(ShopOrderRecord), pagination: Pagination })

export const RetryShopOrder = z.object({
  recipient: Recipient.omit({ external_id: true, external_tags: true })
    .optional()
    .describe('Who gets it, address included, in place of what the shop says.'),
})

export type RetryShopOrder = z.infer<typeof RetryShopOrder>

export const ShopTest = z
  .object({
    reached: z.boolean().describe('Whether the shop let us in.'),
    code: z.string().optional().describe('Why not: NO_ACCESS without a token or key; HTTP_401, TIMEOUT, DNS, TLS, …'),
  })
  .meta({ id: 'ShopTest' })

export const shopParams = z.object({ shopID: anyText(64).describe("The shop's ID.") })
export const shopOrderParams = shopParams.extend({ shopOrderID: anyText(64).describe("The shop order's ID.") })
