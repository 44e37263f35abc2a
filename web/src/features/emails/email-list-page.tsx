import type { Query } from '@kitlane/client'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { emailOptions, lacksServer } from './email-labels.ts'
import { EmailStatusDot, NoMailServer } from './email-status.tsx'

export function MailPage() {
  const state = useListState<Query<'/operator/v1/emails'>>(['status', 'businessID'])
  const emails = useRead('/operator/v1/emails', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader title={t('Mail')} sentence={t('Every e-mail that was written, newest first.')} />
      <ListToolbar state={state} filters={[{ key: 'status', label: t('Status'), options: emailOptions }]} />
      {emails.data?.data.some(lacksServer) && <NoMailServer />}
      <DataTable
        label={t('E-mails')}
        rows={emails.data?.data}
        error={emails.error}
        retry={() => void emails.refetch()}
        rowKey={({ id }) => id}
        href={({ id }) => `/operator/mail/${id}`}
        columns={[
          { header: t('Subject'), cell: ({ subject }) => subject },
          { header: t('Sent to'), cell: ({ to }) => to },
          {
            header: t('Business'),
            cell: ({ business, mode }) =>
              business ? (mode === 'sandbox' ? t('{name} (sandbox)', { name: business.name }) : business.name) : '–',
            isMinor: true,
          },
          {
            header: t('Status'),
            cell: (email) => <EmailStatusDot email={email} />,
          },
          { header: t('Written'), cell: ({ createdDate }) => <RelativeDate value={createdDate} /> },
        ]}
        empty={{
          title: t('No e-mails'),
          text: t('E-mails are written as kits move: when one is sent or delivered, or when its report is ready.'),
        }}
      />
      <Pager state={state} pagination={emails.data?.pagination} />
    </>
  )
}
