import { NumberInput, Select, Stack, Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { OneBusiness } from '../../api/operator-shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { Section } from '../../components/section.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { locale, t } from '../../language/t.ts'

export function BusinessCredits({ business }: { business: OneBusiness }) {
  const grant = useWrite('post', '/operator/v1/businesses/{businessID}/credits')
  const panels = business.panels.filter(({ provisioned }) => provisioned)
  const [type, setType] = useState(panels[0]?.kitType ?? '')
  const [amount, setAmount] = useState(10)
  const [reason, setReason] = useState('')
  const live = business.credits.filter(({ mode }) => mode === 'live')
  const nameOf = (kitType: string) => panels.find((panel) => panel.kitType === kitType)?.name ?? kitType
  return (
    <Section
      title={t('Live credits')}
      action={
        <ConfirmButton
          label={t('Grant credits')}
          sentence={t('One credit pays for one kit. The ledger keeps the grant permanently.')}
          action={() =>
            grant.mutateAsync({
              params: { path: { businessID: business.id } },
              body: { mode: 'live', type, amount, reason: reason.trim() },
            })
          }
          done={t('The credits were granted')}
        >
          <Stack gap="sm">
            <Select
              label={t('Panel')}
              data={panels.map(({ kitType, name }) => ({ value: kitType, label: name }))}
              value={type}
              onChange={(value) => value && setType(value)}
              allowDeselect={false}
            />
            <NumberInput
              label={t('How many')}
              value={amount}
              onChange={(value) => setAmount(Number(value) || 1)}
              min={1}
              max={1_000_000}
              allowDecimal={false}
            />
            <TextInput
              label={t('Reason')}
              placeholder={t('Invoice number or agreement')}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              required
            />
          </Stack>
        </ConfirmButton>
      }
    >
      <WideTable label={t('Live credits')}>
        <Table.Tbody>
          {live.map((credit) => (
            <Table.Tr key={credit.type}>
              <Table.Td>{nameOf(credit.type)}</Table.Td>
              <Table.Td ta="right">{credit.available.toLocaleString(locale())}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {live.length === 0 && t('No credits yet.')}
    </Section>
  )
}
