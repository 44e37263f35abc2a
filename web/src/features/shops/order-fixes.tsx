import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { ShopOrder } from '../../api/shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { t } from '../../language/t.ts'
import { emptyDraft, requestOf } from '../orders/draft.ts'
import { RecipientFields } from '../orders/recipient-fields.tsx'
import { isDecided, MeaningFields, meaningOf, noMeaning } from './product-form.tsx'

// What trying again cannot change.
const DECIDED = new Set(['test_order', 'quantity_unclear', 'too_many_kits'])

/** What a person decides by placing an order all the same. */
const decisions: Record<string, string> = {
  before_connection: t('It is from before the shop was connected. It is ordered within a minute.'),
  state_unclear: t('The shop does not say clearly that it is paid and open. It is ordered within a minute.'),
  partly_refunded: t('All its kits are ordered within a minute, also those that were refunded.'),
}

/** The buttons of an order that waits for a person. */
export function OrderFixes({ order }: { order: ShopOrder }) {
  const { status, reason = '', orderId, unknownItems, tracking } = order
  const isOpen = ['waiting', 'retrying', 'failed'].includes(status)
  const decision = orderId ? undefined : decisions[reason]
  const isRetried = tracking?.status === 'failed' || (isOpen && !orderId && !DECIDED.has(reason))
  const hasUnknown = isOpen && unknownItems !== undefined
  const isIncomplete = isOpen && reason === 'recipient_incomplete'
  return (
    <>
      {hasUnknown && <NameProduct order={order} />}
      {isIncomplete && <CompleteRecipient order={order} />}
      {isRetried && !hasUnknown && !isIncomplete && !decision && (
        <TryAgain order={order} label={t('Try again')} sentence={t('It is tried again within a minute.')} />
      )}
      {decision && <TryAgain order={order} label={t('Place it')} sentence={decision} />}
      {isOpen && <Dismiss order={order} />}
    </>
  )
}

const pathOf = ({ shopID, shopOrderID }: ShopOrder) => ({ path: { shopID, shopOrderID } })

function TryAgain({ order, label, sentence }: { order: ShopOrder; label: string; sentence: string }) {
  const retry = useWrite('post', '/api/v1/shops/{shopID}/orders/{shopOrderID}/retry')
  return (
    <ConfirmButton
      size="compact-sm"
      label={label}
      sentence={sentence}
      action={() => retry.mutateAsync({ params: pathOf(order), body: {} })}
    />
  )
}

function Dismiss({ order }: { order: ShopOrder }) {
  const dismiss = useWrite('post', '/api/v1/shops/{shopID}/orders/{shopOrderID}/dismiss')
  return (
    <ConfirmButton
      size="compact-sm"
      label={t('Dismiss')}
      sentence={
        order.orderId
          ? t('You have seen to it. The order here stays as it is.')
          : t('You have seen to it. Nothing is placed for this order.')
      }
      action={() => dismiss.mutateAsync({ params: pathOf(order) })}
    />
  )
}

/** Says which panel the first unknown product is; the next one is asked for after that. */
function NameProduct({ order }: { order: ShopOrder }) {
  const [meaning, setMeaning] = useState(noMeaning)
  const add = useWrite('post', '/api/v1/shops/{shopID}/items')
  const [item] = order.unknownItems ?? []
  if (!item) return null
  const key = item.sku
    ? { sku: item.sku }
    : item.variantID
      ? { variantID: item.variantID }
      : item.productID
        ? { productID: item.productID }
        : { title: item.title }
  return (
    <ConfirmButton
      size="compact-sm"
      variant="filled"
      label={t('Name the panel')}
      sentence={
        item.sku
          ? t('Which panel is SKU {sku}, “{title}”?', { sku: item.sku, title: item.title })
          : t('Which panel is “{title}”?', { title: item.title })
      }
      action={async () => {
        const body = { ...key, ...(isDecided(meaning) ? meaningOf(meaning) : { kitType: '' }) }
        await add.mutateAsync({ params: { path: { shopID: order.shopID } }, body })
      }}
      done={t('Orders that waited for it are being placed')}
    >
      <MeaningFields value={meaning} onChange={setMeaning} />
    </ConfirmButton>
  )
}

function CompleteRecipient({ order }: { order: ShopOrder }) {
  const [draft, setDraft] = useState({ ...emptyDraft, email: order.recipientEmail ?? '' })
  const retry = useWrite('post', '/api/v1/shops/{shopID}/orders/{shopOrderID}/retry')
  return (
    <ConfirmButton
      size="compact-sm"
      variant="filled"
      label={t('Complete the address')}
      sentence={t('The order is placed for this recipient within a minute.')}
      action={() => retry.mutateAsync({ params: pathOf(order), body: { recipient: requestOf(draft).recipient } })}
    >
      <RecipientFields
        draft={draft}
        onChange={(part) => setDraft((former) => ({ ...former, ...part }))}
        problems={new Map()}
      />
    </ConfirmButton>
  )
}
