import { TextInput } from '@mantine/core'
import { t } from '../../language/t.ts'

/** What was typed, as a list. */
export const listed = (text: string) =>
  text
    .split(/[\s,]+/)
    .map((entry) => entry.trim())
    .filter(Boolean)

export function AddressField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      label={t('Only from these addresses')}
      description={t('Addresses or networks such as 203.0.113.0/24, separated by commas. Empty: from anywhere')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
