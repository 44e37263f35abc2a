import { Radio, Stack } from '@mantine/core'
import { cardName } from '../../components/money.tsx'
import { t } from '../../language/t.ts'
import { usePaymentMethods } from './payment-method.tsx'

export type PaymentOption = 'default' | 'credits' | 'card' | 'later'

interface PaymentChoiceProps {
  /** An option, or the ID of a card. */
  value: string
  onChange: (value: string) => void
  ways: readonly PaymentOption[]
  /** Why credits cannot pay. */
  noCredits?: string
}

/** How an order is paid. Each saved card is an option of its own. */
export function PaymentChoice({ value, onChange, ways, noCredits }: PaymentChoiceProps) {
  const { cards, fallback } = usePaymentMethods()
  return (
    <Radio.Group label={t('Payment')} value={value} onChange={onChange}>
      <Stack gap={6} mt={6}>
        {ways.includes('default') && (
          <Radio
            value="default"
            label={t('Use the settings')}
            description={
              fallback ? t('Credits while they last, {fallback}', { fallback }) : t('Credits while they last')
            }
          />
        )}
        {ways.includes('credits') && (
          <Radio value="credits" label={t('Credits')} disabled={noCredits !== undefined} description={noCredits} />
        )}
        {ways.includes('card') &&
          cards.map((card) => (
            <Radio
              key={card.id}
              value={card.id}
              label={cardName(card)}
              description={card.attached ? t('Your usual card') : undefined}
            />
          ))}
        {ways.includes('later') && (
          <Radio value="later" label={t('Pay later')} description={t('No kit is made until the order is paid')} />
        )}
      </Stack>
    </Radio.Group>
  )
}

/** The parameter of the API; none for the default. */
export function paymentOf(value: string): { paymentMethod?: string } {
  return value === 'default' ? {} : { paymentMethod: value }
}
