import { List, Text } from '@mantine/core'
import type { Shop } from '../../api/shapes.ts'
import { CopyBlock } from '../../components/raw-json.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'

const shopify = [
  t('In Shopify, open your app under Settings, Apps, Develop apps, and give it access to orders.'),
  t(
    'Let the app subscribe to the webhooks “orders/paid”, “orders/updated” and “orders/cancelled”, as JSON, with the address above.',
  ),
  t('Say on this page which product is which panel. A product that you do not name makes its order wait for you.'),
  t('Place a test order. It is listed on this page, and nothing is sent for it.'),
]

const woocommerce = [
  t(
    'In WordPress, open WooCommerce, Settings, Advanced, Webhooks, and add a webhook for “Order created” and one for “Order updated”.',
  ),
  t(
    'Paste the address above as delivery URL and the secret that was shown, choose the newest API version, and activate both.',
  ),
  t('Say on this page which product is which panel. A product that you do not name makes its order wait for you.'),
  t('The next order that is paid is listed on this page.'),
]

/** What to do in the shop, in words. */
export function ShopSteps({ shop }: { shop: Shop }) {
  return (
    <Section title={t('Set up the shop')}>
      <Text>{t('The shop sends its webhooks to this address:')}</Text>
      <CopyBlock text={shop.hookUrl} label={t('Copy')} />
      <List type="ordered" spacing="xs">
        {(shop.kind === 'shopify' ? shopify : woocommerce).map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
    </Section>
  )
}
