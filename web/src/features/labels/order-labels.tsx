import { useRead } from '../../api/hooks.ts'
import { Facts } from '../../components/facts.tsx'
import { moneyOf } from '../../components/money.tsx'
import { t } from '../../language/t.ts'
import { LabelState, legs } from './label-state.tsx'

/** The bought labels of an order, and what they cost; nothing where none was ever asked for. */
export function OrderLabels({ orderID }: { orderID: string }) {
  const found = useRead('/operator/v1/orders/{orderID}/labels', { params: { path: { orderID } } })
  if (!found.data || found.data.labels.length === 0) return null
  const { labels, totals } = found.data
  return (
    <Facts
      title={t('Shipping labels')}
      facts={[
        ...labels.map((label): [string, React.ReactNode] => [
          [legs[label.leg], label.trackingNumber].filter(Boolean).join(' '),
          <LabelState key={label.labelID} label={label} />,
        ]),
        ...totals.flatMap(({ currency, outbound, onUse }): [string, React.ReactNode][] => [
          [t('Labels out'), moneyOf(outbound, currency)],
          ...(onUse > 0 ? [[t('Return labels, if they are used'), moneyOf(onUse, currency)] as [string, string]] : []),
        ]),
      ]}
    />
  )
}
