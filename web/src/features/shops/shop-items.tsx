import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { Shop } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { isDecided, MeaningFields, meaningOf, noMeaning } from './product-form.tsx'

type Item = Shop['items'][number]

/** Which products are which panels. */
export function ShopItems({ shop }: { shop: Shop }) {
  const { write } = usePermissions()
  const { nameOf } = usePanels()
  const change = useWrite('patch', '/api/v1/shops/{shopID}')
  const params = { path: { shopID: shop.shopID } }
  const removal: Column<Item>[] = [
    {
      header: t('Remove'),
      hasButtons: true,
      cell: (item) => (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => change.mutate({ params, body: { items: shop.items.filter((one) => one !== item) } })}
          aria-label={t('Remove {product}', { product: keyOf(item) })}
        >
          {t('Remove')}
        </Button>
      ),
      align: 'right',
    },
  ]
  const add = write && shop.connected && <AddProduct shopID={shop.shopID} />
  return (
    <>
      <DataTable
        label={t('Products and panels')}
        rows={shop.items}
        columns={[...columnsOf(nameOf), ...(write && shop.connected ? removal : [])]}
        rowKey={keyOf}
        empty={{
          title: t('No products yet'),
          text: t('Say which product of your shop is which panel, and which products are not kits.'),
          action: add,
        }}
      />
      {shop.items.length > 0 && <Group>{add}</Group>}
    </>
  )
}

const keyOf = ({ sku, variantID, productID, title }: Item): string => sku ?? variantID ?? productID ?? title ?? ''

function kindOf({ sku, variantID, title }: Item): string {
  if (sku !== undefined) return t('SKU')
  if (title !== undefined) return t('Title')
  return variantID === undefined ? t('Product ID') : t('Variant ID')
}

const columnsOf = (nameOf: (kitType: string) => string): Column<Item>[] => [
  { header: t('Product'), cell: keyOf },
  { header: t('Known by'), cell: kindOf, isMinor: true },
  { header: t('Panel'), cell: ({ kitType }) => (kitType ? nameOf(kitType) : t('Not a kit')) },
  { header: t('Kits'), cell: ({ kitType, quantity }) => (kitType ? (quantity ?? 1) : '–'), align: 'right' },
]

function AddProduct({ shopID }: { shopID: string }) {
  const [by, setBy] = useState<'sku' | 'variantID' | 'productID'>('sku')
  const [product, setProduct] = useState('')
  const [meaning, setMeaning] = useState(noMeaning)
  const add = useWrite('post', '/api/v1/shops/{shopID}/items')
  return (
    <ConfirmButton
      label={t('Add a product')}
      sentence={t('Orders that wait for it are placed.')}
      action={async () => {
        const body = { [by]: product.trim(), ...(isDecided(meaning) ? meaningOf(meaning) : { kitType: '' }) }
        await add.mutateAsync({ params: { path: { shopID } }, body })
        setProduct('')
        setMeaning(noMeaning)
      }}
    >
      <SegmentedControl
        aria-label={t('Known by')}
        value={by}
        onChange={setBy}
        data={[
          { value: 'sku', label: t('SKU') },
          { value: 'variantID', label: t('Variant ID') },
          { value: 'productID', label: t('Product ID') },
        ]}
      />
      <TextInput
        label={t('Product')}
        required
        maxLength={255}
        value={product}
        onChange={(event) => setProduct(event.currentTarget.value)}
      />
      <MeaningFields value={meaning} onChange={setMeaning} />
    </ConfirmButton>
  )
}
