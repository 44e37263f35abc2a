import { Title } from '@mantine/core'
import { useRead, useWrite } from '../../../api/hooks.ts'
import type { AnySsoConnection } from '../../../api/operator-shapes.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { DataTable } from '../../../components/data-table.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'

interface Claim {
  connection: AnySsoConnection
  domain: string
  verified: boolean
}

/** The domains that all sides claim. */
export function Domains() {
  const all = useRead('/operator/v1/sso-domains')
  const rows = all.data?.flatMap((connection) => connection.domains.map((one): Claim => ({ connection, ...one })))
  return (
    <>
      <Title order={2} mt="xl" mb="xs">
        {t('Domains')}
      </Title>
      <DataTable
        label={t('Domains')}
        rows={rows}
        error={all.error}
        retry={() => void all.refetch()}
        rowKey={({ connection, domain }) => `${connection.id} ${domain}`}
        columns={[
          { header: t('Domain'), cell: ({ domain }) => domain },
          { header: t('Claimed by'), cell: ({ connection }) => connection.business?.name ?? t('The operator') },
          { header: t('Issuer'), cell: ({ connection }) => connection.issuer, isMinor: true },
          {
            header: t('Status'),
            cell: ({ verified }) => (
              <StatusDot tone={verified ? 'good' : 'fair'}>{verified ? t('Verified') : t('Waits')}</StatusDot>
            ),
          },
          { header: t('Actions'), cell: (claim) => <Verify claim={claim} />, align: 'right', hasButtons: true },
        ]}
        empty={{
          title: t('No domains yet'),
          text: t(
            'When a business sets up single sign-on, its domains wait here until you know that they are its own.',
          ),
        }}
      />
    </>
  )
}

function Verify({ claim: { connection, domain, verified } }: { claim: Claim }) {
  const verify = useWrite('patch', '/operator/v1/sso-connections/{connectionID}/domains/{domain}')
  const owner = connection.business?.name ?? t('the operator')
  return (
    <ConfirmButton
      label={verified ? t('Take back') : t('Verify')}
      size="xs"
      sentence={
        verified
          ? t('People with an address of {domain} can no longer sign in with {name}.', {
              domain,
              name: connection.name,
            })
          : t(
              'Do this only if you know that {domain} belongs to {owner}. Its identity provider can then sign in anybody with such an address.',
              { domain, owner },
            )
      }
      action={() =>
        verify.mutateAsync({ params: { path: { connectionID: connection.id, domain } }, body: { verified: !verified } })
      }
      done={verified ? t('Taken back') : t('Verified')}
    />
  )
}
