-- Conditions that are notifiable in the whole country, for an operator to review: nobody signed them, and nothing says within what time.
insert into notifiable_settings (id, kind, definition, changed_at)
select id, 'rule', jsonb_build_object('id', id, 'condition', condition, 'biomarkers', biomarkers, 'answer', '{"kind": "positive"}'::jsonb,
  'country', 'US', 'states', '[]'::jsonb, 'withinHours', null, 'isActive', false, 'changedDate', '2026-11-30T00:00:00.000Z',
  'source', 'CSTE and CDC, nationally notifiable conditions (NNDSS). That list says what health departments tell CDC: which results laboratories and providers tell a state, and within what time, is the law of the state.'), '2026-11-30T00:00:00Z'
from (values
  ('nrl_chlamydia', 'Chlamydia trachomatis infection', array['chlamydia', 'chlamydia_urine']),
  ('nrl_gonorrhea', 'Gonorrhea', array['gonorrhoeae', 'gonorrhoeae_urine']),
  ('nrl_syphilis', 'Syphilis', array['treponema_pallidum_antibody', 'treponema_pallidum_igg', 'treponema_pallidum_igm', 'treponema_pallidum_dna', 'reagin_antibody_syphilis_screen']),
  ('nrl_hiv', 'HIV infection', array['hiv_ag_ab', 'hiv_1_2_antibody', 'hiv_1_antibody', 'hiv_2_antibody', 'hiv_1_p24_antigen', 'hiv_1_rna', 'hiv_2_rna', 'hiv_1_2_rna']),
  ('nrl_hepatitis_a', 'Hepatitis A, acute', array['hepatitis_a_igm']),
  ('nrl_hepatitis_b', 'Hepatitis B', array['hbsag', 'hepatitis_b_core_igm', 'hepatitis_b_e_antigen', 'hbv_dna', 'hepatitis_b_dna']),
  ('nrl_hepatitis_c', 'Hepatitis C', array['hepatitis_c_antibody', 'hepatitis_c_rna']),
  ('nrl_covid_19', 'Coronavirus Disease 2019 (COVID-19)', array['sars_cov_2_rna'])
) rules(id, condition, biomarkers);
