import { Button, FileInput, Loader, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { dataUrlOf } from '../../components/data-url.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { t } from '../../language/t.ts'
import { AddedNotice } from './added-notice.tsx'

const EVERY_MS = 1_000
const MAX_FILE_BYTES = 25 * 1024 * 1024

/** A laboratory's PDF, CSV, HL7, FHIR or photo. The service reads it in the background; this page shows the progress. */
export function FileForm({ customerID }: { customerID: number }) {
  const [date, setDate] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [jobID, setJobID] = useState<string>()
  const isTooLarge = file !== null && file.size > MAX_FILE_BYTES
  const add = useWrite('post', '/api/v1/customer/add-data')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!file || isTooLarge) return
    const fileBlob = await dataUrlOf(file)
    add.mutate(
      { body: { type: 'file', userId: customerID, date, fileBlob, fileName: file.name, async: true } },
      { onSuccess: (answer) => 'jobId' in answer && setJobID(answer.jobId) },
    )
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <TextInput
          label={t('Collected on')}
          description={t('Used where the file gives no date')}
          type="date"
          required
          w={240}
          value={date}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
        <FileInput
          label={t('File')}
          description={t('PDF, photo, CSV, HL7 or FHIR, up to 25 MB')}
          required
          placeholder={t('Choose a file')}
          value={file}
          onChange={setFile}
          error={isTooLarge && t('The file is larger than 25 MB')}
          clearable
        />
        {add.error && <ErrorAlert error={add.error} />}
        <Button type="submit" loading={add.isPending} disabled={!file || isTooLarge} w="fit-content">
          {t('Upload')}
        </Button>
        {jobID && <FileJob key={jobID} jobID={jobID} />}
      </Stack>
    </form>
  )
}

function FileJob({ jobID }: { jobID: string }) {
  const path = useRealmPath()
  const [isOver, setOver] = useState(false)
  const job = useRead(
    '/api/v1/customer/add-data/jobs/{id}',
    { params: { path: { id: jobID } } },
    { every: isOver ? false : EVERY_MS },
  )
  const status = job.data?.status
  if (!isOver && (status === 'completed' || status === 'failed' || job.error)) setOver(true)
  if (job.error && !job.data) return <ErrorAlert error={job.error} retry={() => void job.refetch()} />
  if (status === 'failed') {
    return <Text c="var(--k-bad)">{job.data?.error?.message ?? t('The file could not be read. Try another one.')}</Text>
  }
  const result = job.data?.result
  if (!result) {
    return (
      <Text role="status">
        <Loader size="xs" mr="xs" aria-hidden />
        {t('The file is being read…')}
      </Text>
    )
  }
  if (result.needsReview) {
    return (
      <Text>
        {t('A person must review this file.')}{' '}
        <PageLink to={path('uploads', result.docId)}>{t('Review it now')}</PageLink>
      </Text>
    )
  }
  return (
    <AddedNotice
      title={t('{count, plural, one {# value was} other {# values were}} read', { count: result.totalBiomarkers })}
      reports={result.reports.map(({ id }) => id)}
      unused={result.unmatched.map(({ name, reason }) => `${name}: ${reason}`)}
      converted={result.converted}
    />
  )
}
