import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import { t } from '../../language/t.ts'

export interface Cadence {
  count: number
  unit: 'weeks' | 'months'
  date: string
}

/** `every` as the API takes it. */
export const everyOf = ({ count, unit }: Cadence) => (unit === 'weeks' ? { weeks: count } : { months: count })

interface CadenceFieldsProps {
  value: Cadence
  onChange: (value: Cadence) => void
  /** Of the date. */
  label: string
  problem?: string | undefined
}

/** The first or next date, and how often from then on. */
export function CadenceFields({ value, onChange, label, problem }: CadenceFieldsProps) {
  return (
    <Group align="flex-start" gap="sm">
      <TextInput
        type="date"
        label={label}
        description={t('Ordered at 06:00 UTC')}
        required
        value={value.date}
        error={problem}
        onChange={(event) => onChange({ ...value, date: event.currentTarget.value })}
      />
      <NumberInput
        label={t('Then every')}
        description={value.unit === 'months' ? t('31st: the last of a month') : t('On the same weekday')}
        min={1}
        max={value.unit === 'months' ? 60 : 260}
        allowDecimal={false}
        required
        w={190}
        value={value.count}
        onChange={(count) => onChange({ ...value, count: Number(count) || 1 })}
      />
      <Select
        label={t('Weeks or months')}
        description={t('Of the calendar')}
        w={150}
        allowDeselect={false}
        data={[
          { value: 'weeks', label: t('weeks') },
          { value: 'months', label: t('months') },
        ]}
        value={value.unit}
        onChange={(unit) => onChange({ ...value, unit: unit === 'weeks' ? 'weeks' : 'months' })}
      />
    </Group>
  )
}
