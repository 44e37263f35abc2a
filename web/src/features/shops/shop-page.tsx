import { List, Skeleton, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { Shop } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { CopyBlock } from '../../components/raw-json.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { kindNames, shopLabel, shopName } from './labels.ts'
import { ShopActions } from './shop-actions.tsx'
import { ShopItems } from './shop-items.tsx'
import { ShopOrders } from './shop-orders.tsx'

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
function ShopSteps({ shop }: { shop: Shop }) {
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

export function ShopPage() {
  const { shopID = '' } = useParams({ strict: false })
  const shop = useRead('/api/v1/shops/{shopID}', { params: { path: { shopID } } })
  if (shop.error && !shop.data) return <ErrorAlert error={shop.error} retry={() => void shop.refetch()} />
  if (!shop.data) return <Skeleton height={320} />
  return <ShopView shop={shop.data} />
}

const payments = { credits: t('Credits'), card: t('Card') } as const

function ShopView({ shop }: { shop: Shop }) {
  const { write } = usePermissions()
  const word = shopLabel(shop)
  return (
    <>
      <PageHeader
        title={shopName(shop)}
        id={shop.shopID}
        crumbs={[['developers/shops', t('Shops')]]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        actions={write && shop.connected && <ShopActions shop={shop} />}
      />
      <TwoColumns
        left={
          <>
            {shop.connected && !shop.heardDate && <ShopSteps shop={shop} />}
            <Section title={t('Orders of the shop')}>
              <ShopOrders shop={shop} />
            </Section>
            <Section title={t('Products and panels')}>
              <ShopItems shop={shop} />
            </Section>
            {shop.connected && shop.heardDate && <ShopSteps shop={shop} />}
          </>
        }
        right={
          <Facts
            title={t('Shop')}
            facts={[
              [t('Kind of shop'), kindNames[shop.kind]],
              [t('Address'), shop.url],
              [t('Last message'), <RelativeDate key="heard" value={shop.heardDate} />],
              [t('Tracking'), shop.writesBack ? t('Written back to the shop') : t('Not written back')],
              [t('Status e-mails'), shop.isNotifyReceiver ? t('Sent to the recipient') : t('Not sent')],
              [
                t('Paid with'),
                shop.paymentMethod ? payments[shop.paymentMethod] : t('Credits, else as the settings say'),
              ],
              [t('Countries'), shop.countries?.join(', ') ?? t('All')],
              [t('Connected'), <RelativeDate key="made" value={shop.createdDate} />],
            ]}
          />
        }
      />
    </>
  )
}
