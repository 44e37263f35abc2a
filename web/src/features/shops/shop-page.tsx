import { Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { Shop } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { kindNames, shopLabel, shopName } from './labels.ts'
import { ShopActions } from './shop-actions.tsx'
import { ShopItems } from './shop-items.tsx'
import { ShopOrders } from './shop-orders.tsx'
import { ShopSteps } from './shop-steps.tsx'

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
