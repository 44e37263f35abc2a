import { Button, Group, Skeleton, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchRaw } from '../../../api/client.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import type { UploadDetail } from '../../../api/shapes.ts'
import { useApi, useRealmHeader, useRealmPath } from '../../../app/realm.tsx'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { dataUrlOf } from '../../../components/data-url.ts'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { StatusDot } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import { needText, uploadLabel } from './labels.ts'
import { PageViewer } from './page-viewer.tsx'
import { ReviewForm } from './review-form.tsx'
import css from './uploads.module.css'

const EVERY_MS = 2_000

/** A file beside the values read from it. Each is confirmed or left out, then the report is created. */
export function UploadPage() {
  const { docID = '' } = useParams({ strict: false })
  const api = useApi()
  const [isRead, setRead] = useState(false)
  const upload = useRead(
    `${api}/uploads/{docID}`,
    { params: { path: { docID } } },
    { every: isRead ? false : EVERY_MS },
  )
  if (upload.data && !isRead && upload.data.state !== 'reading') setRead(true)
  if (upload.error && !upload.data) return <ErrorAlert error={upload.error} retry={() => void upload.refetch()} />
  if (!upload.data) return <Skeleton height={480} />
  return <UploadReview key={`${docID} ${upload.data.state}`} upload={upload.data} />
}

function UploadReview({ upload }: { upload: UploadDetail }) {
  const [current, setCurrent] = useState<UploadDetail['candidates'][number]>()
  const word = uploadLabel(upload.state)
  return (
    <>
      <PageHeader
        title={[upload.patient?.name, upload.fileName ?? t('Laboratory file')].filter(Boolean).join(' · ')}
        id={upload.docID}
        crumbs={[['uploads', t('Uploads')]]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        sentence={sentenceOf(upload)}
        actions={
          <>
            <OriginalFile upload={upload} />
            {upload.state === 'waiting' && <Dismiss docID={upload.docID} />}
          </>
        }
      />
      <div className={css.desk}>
        <PageViewer
          picture={(page) => <PagePicture docID={upload.docID} page={page} />}
          pages={upload.pageImages}
          lines={upload.lines}
          crop={current?.crop}
        />
        {upload.state === 'waiting' ? (
          <ReviewForm upload={upload} onCurrent={setCurrent} />
        ) : (
          <Closed upload={upload} />
        )}
      </div>
    </>
  )
}

function sentenceOf(upload: UploadDetail): string {
  const why = needText(upload.needsReview)
  const { customerID, business } = upload
  return business ? t('{business} · customer {customerID} · {why}', { business: business.name, customerID, why }) : why
}

function Closed({ upload }: { upload: UploadDetail }) {
  const api = useApi()
  const path = useRealmPath()
  if (upload.state === 'reading') return <Text>{t('The file is being read. Its values will appear here.')}</Text>
  if (upload.state === 'dismissed')
    return <Text>{t('This file was dismissed: {reason}', { reason: upload.reason ?? t('no reason was given') })}</Text>
  if (upload.reportID === undefined) return <Text>{t('This file was confirmed.')}</Text>
  return (
    <Text>
      {t('A report was created from this file.')}{' '}
      <PageLink to={path(api === '/api/v1' ? 'reports' : 'review', upload.reportID)}>{t('Open the report')}</PageLink>
    </Text>
  )
}

function OriginalFile({ upload }: { upload: UploadDetail }) {
  const api = useApi()
  const realm = useRealmHeader()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const response = await fetchRaw(realm, `${api}/uploads/${encodeURIComponent(upload.docID)}/file`).finally(() =>
      setBusy(false),
    )
    saveFile(await response.blob(), upload.fileName ?? upload.docID)
  }
  return (
    <Button variant="default" loading={isBusy} onClick={() => void save()}>
      {t('Original file')}
    </Button>
  )
}

function Dismiss({ docID }: { docID: string }) {
  const api = useApi()
  const path = useRealmPath()
  const navigate = useNavigate()
  const [reason, setReason] = useState('')
  const dismiss = useWrite('post', `${api}/uploads/{docID}/dismiss`)
  return (
    <ConfirmButton
      label={t('Dismiss')}
      isDangerous
      sentence={t('No report is created from this file. It stays with the customer, with your reason.')}
      action={async () => {
        await dismiss.mutateAsync({ params: { path: { docID } }, body: { reason } })
        await navigate({ to: path('uploads') })
      }}
      done={t('The upload was dismissed')}
    >
      <Group grow>
        <TextInput
          label={t('Reason')}
          required
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Group>
    </ConfirmButton>
  )
}

/** A page of an upload. An `<img>` cannot send the realm's header, so it is fetched; the policy allows data: but not blob: URLs. */
function PagePicture({ docID, page }: { docID: string; page: number }) {
  const api = useApi()
  const realm = useRealmHeader()
  const picture = useQuery({
    queryKey: [realm ?? '', 'upload-page', docID, page],
    queryFn: async () => {
      const response = await fetchRaw(realm, `${api}/uploads/${encodeURIComponent(docID)}/pages/${page}`)
      return await dataUrlOf(await response.blob())
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (picture.error && !picture.data)
    return <Text c="var(--k-bad)">{t('Page {page} cannot be shown. Open the original file.', { page })}</Text>
  return picture.data ? <img src={picture.data} alt={t('Page {page}', { page })} /> : <Skeleton height={480} />
}
