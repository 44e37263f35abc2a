import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { Shop } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { DeveloperTabs } from '../../frame/developer-tabs.tsx'
import { t } from '../../language/t.ts'
import { ConnectShop } from './connect-shop.tsx'
import { kindNames, shopLabel, shopName } from './labels.ts'

export function ShopListPage() {
  const path = useRealmPath()
  const navigate = useNavigate()
  const { write } = usePermissions()
  const [opened, { open, close }] = useDisclosure()
  const [made, setMade] = useState<{ secret: string; shopID: string }>()
  const shops = useRead('/api/v1/shops')
  const connect = useWrite('post', '/api/v1/shops')
  const show = (shopID: string) => void navigate({ to: path('developers', 'shops', shopID) })
  const add = write && (
    <Button onClick={open} aria-haspopup="dialog">
      {t('Connect a shop')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Developers')}
        sentence={t(
          'What people buy in your own shop becomes orders of kits, and the shop learns the tracking numbers.',
        )}
        actions={add}
      />
      <DeveloperTabs />
      <DataTable
        label={t('Shops')}
        rows={shops.data}
        error={shops.error}
        retry={() => void shops.refetch()}
        rowKey={({ shopID }) => shopID}
        href={({ shopID }) => path('developers', 'shops', shopID)}
        columns={columns}
        empty={{
          title: t('No shops yet'),
          text: t('Connect a Shopify or WooCommerce shop once. Nobody has to type its orders again.'),
          action: add,
        }}
      />
      <ConnectShop
        opened={opened}
        onClose={close}
        save={async (body) => {
          const { shopID, webhookSecret } = await connect.mutateAsync({ body })
          if (webhookSecret === undefined) show(shopID)
          else setMade({ secret: webhookSecret, shopID })
        }}
      />
      <SecretDialog
        title={t('The webhook secret')}
        sentence={t('Paste it into the field “Secret” of each webhook in WooCommerce. The next page has the steps.')}
        secret={made?.secret}
        onClose={() => {
          setMade(undefined)
          if (made) show(made.shopID)
        }}
      />
    </>
  )
}

const columns: Column<Shop>[] = [
  {
    header: t('Shop'),
    cell: (shop) => (
      <>
        {shopName(shop)}
        <Text size="xs" c="dimmed">
          {kindNames[shop.kind]}
        </Text>
      </>
    ),
  },
  {
    header: t('Status'),
    cell: (shop) => <StatusDot tone={shopLabel(shop).tone}>{shopLabel(shop).label}</StatusDot>,
  },
  { header: t('Waits for you'), cell: ({ waiting }) => waiting, align: 'right' },
  { header: t('Last message'), cell: ({ heardDate }) => <RelativeDate value={heardDate} />, isMinor: true },
]
