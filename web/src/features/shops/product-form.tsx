import { NumberInput, SegmentedControl, Select } from '@mantine/core'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'

export interface Meaning {
  isKit: boolean
  kitType: string | null
  quantity: number
}

export const noMeaning: Meaning = { isKit: true, kitType: null, quantity: 1 }

/** What the service learns about a product. */
export const meaningOf = ({ isKit, kitType, quantity }: Meaning) =>
  isKit && kitType ? { kitType, ...(quantity > 1 && { quantity }) } : {}

export const isDecided = ({ isKit, kitType }: Meaning): boolean => !isKit || kitType !== null

/** Which panel a product is and how many kits of it, or that it is no kit. */
export function MeaningFields({ value, onChange }: { value: Meaning; onChange: (value: Meaning) => void }) {
  const { options } = usePanels()
  return (
    <>
      <SegmentedControl
        aria-label={t('What is it?')}
        value={value.isKit ? 'kit' : 'other'}
        onChange={(chosen) => onChange({ ...value, isKit: chosen === 'kit' })}
        data={[
          { value: 'kit', label: t('A kit') },
          { value: 'other', label: t('Not a kit') },
        ]}
      />
      {value.isKit && (
        <>
          <Select
            label={t('Panel')}
            required
            searchable
            data={options}
            value={value.kitType}
            onChange={(kitType) => onChange({ ...value, kitType })}
          />
          <NumberInput
            label={t('Kits in one of it')}
            min={1}
            max={100}
            allowDecimal={false}
            value={value.quantity}
            onChange={(quantity) => onChange({ ...value, quantity: Number(quantity) || 1 })}
          />
        </>
      )}
    </>
  )
}
