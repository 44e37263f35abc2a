import type { ReactNode } from 'react'
import { useRead } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { cardName } from '../../components/money.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { rich, t } from '../../language/t.ts'

/** The means of payment: saved cards, if the settings allow them, and the credits that are left. */
export function usePaymentMethods() {
  const methods = useRead('/api/v1/payment-methods')
  const credits = useRead('/api/v1/credits')
  const settings = useRead('/api/v1/settings').data
  const cards = methods.data ?? []
  const attached = cards.find((card) => card.attached)
  const left = new Map(credits.data?.map(({ type, credits: count }) => [type, count ?? 0]))
  return {
    isKnown: methods.data !== undefined && credits.data !== undefined,
    cards: settings?.purchasingEnabled === false ? [] : cards,
    attached,
    /** Kit types with too few credits left. */
    short: (items: readonly { kitType: string; quantity: number }[]) =>
      items.filter(({ kitType, quantity }) => (left.get(kitType) ?? 0) < quantity),
    /** What happens to an order that credits do not cover, in words. */
    fallback: settings && methods.data && fallbackText(settings, attached && cardName(attached)),
    isPurchasing: settings?.purchasingEnabled !== false,
  }
}

/** The rules of the service (payments/rules.ts) in words. It mentions a card only if one is saved. */
function fallbackText(
  settings: { insufficientCredits: 'charge' | 'pending' | 'reject'; purchasingEnabled: boolean },
  card: string | undefined,
): string {
  if (!settings.purchasingEnabled) return t('else the order is refused: buying is switched off in the settings')
  if (settings.insufficientCredits === 'reject') return t('else the order is refused')
  if (settings.insufficientCredits === 'pending') return t('else the order waits to be paid')
  return card ? t('else {card} is charged', { card }) : t('else the order waits to be paid: no card is saved')
}

/** The next step: add a card, ask for credits, or allow cards in the settings. */
export function PaymentHint() {
  const path = useRealmPath()
  const { cards, isPurchasing } = usePaymentMethods()
  if (isPurchasing && cards.length > 0) return t('Choose a saved card, or ask the operator for credits.')
  const link = (folder: string) => (words: ReactNode) => (
    <PageLink key="link" to={path(folder)}>
      {words}
    </PageLink>
  )
  return isPurchasing
    ? rich('<link>Add a card in Billing</link>, or ask the operator for credits.', { link: link('billing') })
    : rich('<link>Allow buying in Settings</link>, or ask the operator for credits.', { link: link('settings') })
}
