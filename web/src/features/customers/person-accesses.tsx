import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { accessColumns } from './access-columns.tsx'

const INITIAL_ROWS = 50

/** Who saw the data of a person. It is read only when somebody asks: the business sees that the operator did. */
export function PersonAccesses({ businessID, customerID }: { businessID: string; customerID: number }) {
  const [isOpen, setOpen] = useState(false)
  const accesses = useRead(
    '/operator/v1/businesses/{businessID}/customers/{id}/accesses',
    { params: { path: { businessID, id: String(customerID) } } },
    { enabled: isOpen },
  )
  return (
    <Section title={t('Who saw this data')}>
      {isOpen ? (
        <DataTable
          label={t('Accesses')}
          rows={accesses.data?.data.slice(0, INITIAL_ROWS)}
          error={accesses.error}
          retry={() => void accesses.refetch()}
          rowKey={(row) => JSON.stringify(row)}
          columns={accessColumns}
          empty={{ title: t('Nobody'), text: t('In this time, nobody saw the data of this person.') }}
        />
      ) : (
        <div>
          <Text c="dimmed" mb="xs">
            {t('The business sees that you asked.')}
          </Text>
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            {t('Show who saw it')}
          </Button>
        </div>
      )}
    </Section>
  )
}
