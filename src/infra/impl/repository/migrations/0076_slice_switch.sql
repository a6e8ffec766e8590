CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE agent (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	description TEXT NOT NULL, 
	icon_file_id BIGINT, 
	mode VARCHAR(16) NOT NULL, 
	config TEXT NOT NULL, 
	last_version BIGINT NOT NULL, 
	is_draft_changed BOOLEAN NOT NULL, 
	alias VARCHAR(200), 
	template_category TEXT, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, trace_capture VARCHAR(10), replaced_draft TEXT, 
	CONSTRAINT pk_agent PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ix_agent_space_id_alias ON agent (space_id, alias);
CREATE INDEX ix_agent_space_id_updated_at ON agent (space_id, updated_at);
CREATE TABLE agent_display (
	agent_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	state BLOB NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_agent_display PRIMARY KEY (agent_id)
);
CREATE TABLE agent_publication (
	agent_id BIGINT NOT NULL, 
	connector_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	version_id BIGINT NOT NULL, 
	version VARCHAR(20) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	published_at BIGINT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_agent_publication PRIMARY KEY (agent_id, connector_id)
);
CREATE TABLE agent_version (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	agent_id BIGINT NOT NULL, 
	label VARCHAR(20) NOT NULL, 
	note TEXT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	description TEXT NOT NULL, 
	icon_file_id BIGINT, 
	mode VARCHAR(16) NOT NULL, 
	config TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_agent_version PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ix_agent_version_agent_id_label ON agent_version (agent_id, label);
CREATE TABLE api_token (
	id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	name VARCHAR(50) NOT NULL, 
	digest BLOB NOT NULL, 
	last4 VARCHAR(4) NOT NULL, 
	permissions TEXT, 
	space_ids TEXT, 
	agent_ids TEXT, 
	end_user_id VARCHAR(256) NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	expires_at BIGINT, 
	revoked_at BIGINT, 
	last_used_at BIGINT, 
	revision INTEGER NOT NULL, networks TEXT, source_id BIGINT, 
	CONSTRAINT pk_api_token PRIMARY KEY (id), 
	CONSTRAINT uq_api_token_digest UNIQUE (digest)
);
CREATE INDEX ix_api_token_user_id_kind_id ON api_token (user_id, kind, id);
CREATE TABLE app (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	description TEXT NOT NULL, 
	icon_file_id BIGINT, 
	content TEXT NOT NULL, 
	latest_version VARCHAR(24) NOT NULL, 
	connector_ids TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	published_at BIGINT, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, 
	CONSTRAINT pk_app PRIMARY KEY (id)
);
CREATE INDEX ix_app_space_id_updated_at ON app (space_id, updated_at);
CREATE TABLE app_version (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	app_id BIGINT NOT NULL, 
	label VARCHAR(24) NOT NULL, 
	note TEXT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	connector_ids TEXT NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	description TEXT NOT NULL, 
	icon_file_id BIGINT, 
	content TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_app_version PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ix_app_version_app_id_label ON app_version (app_id, label);
CREATE TABLE audit_log (
	id BIGINT NOT NULL, 
	event_id VARCHAR(32) NOT NULL, 
	space_id BIGINT NOT NULL, 
	actor_id BIGINT NOT NULL, 
	action VARCHAR(100) NOT NULL, 
	resource VARCHAR(200) NOT NULL, 
	result VARCHAR(20) NOT NULL, 
	detail TEXT NOT NULL, 
	log_id VARCHAR(64) NOT NULL, 
	at BIGINT NOT NULL, token_id BIGINT, session_id BIGINT, address VARCHAR(64), resource_name TEXT, changes TEXT, position BIGINT, digest BLOB, 
	CONSTRAINT pk_audit_log PRIMARY KEY (id), 
	CONSTRAINT uq_audit_log_event_id UNIQUE (event_id)
);
CREATE INDEX ix_audit_log_space_id_id ON audit_log (space_id, id);
CREATE TABLE conversation (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	connector_id BIGINT NOT NULL, 
	scene VARCHAR(16) NOT NULL, 
	agent_id BIGINT, 
	section_id BIGINT NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	meta TEXT NOT NULL, 
	"key" VARCHAR(256), 
	key_end_user VARCHAR(256) NOT NULL, 
	variables TEXT NOT NULL, 
	next_seq BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, 
	CONSTRAINT pk_conversation PRIMARY KEY (id)
);
CREATE INDEX ix_conversation_deleted_at ON conversation (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX ix_conversation_owner ON conversation (creator_id, agent_id, connector_id, scene, created_at);
CREATE UNIQUE INDEX uq_conversation_key ON conversation (creator_id, agent_id, key_end_user, "key") WHERE key IS NOT NULL AND deleted_at IS NULL;
CREATE TABLE dead_letter (
	consumer VARCHAR(100) NOT NULL, 
	event_id VARCHAR(32) NOT NULL, 
	topic VARCHAR(100) NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	payload BLOB NOT NULL, 
	attempts INTEGER NOT NULL, 
	error TEXT NOT NULL, 
	died_at BIGINT NOT NULL, 
	CONSTRAINT pk_dead_letter PRIMARY KEY (consumer, event_id)
);
CREATE TABLE duty (
	name VARCHAR(64) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	held_until BIGINT NOT NULL, 
	CONSTRAINT pk_duty PRIMARY KEY (name)
);
CREATE TABLE feedback (
	message_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	conversation_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	reasons TEXT NOT NULL, 
	comment TEXT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_feedback PRIMARY KEY (message_id, user_id)
);
CREATE INDEX ix_feedback_conversation_id ON feedback (conversation_id);
CREATE TABLE file (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	object_key VARCHAR(512) NOT NULL, 
	media_type VARCHAR(128) NOT NULL, 
	size BIGINT NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	created_at BIGINT NOT NULL, 
	ready_at BIGINT, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, purpose VARCHAR(16) DEFAULT '' NOT NULL, expires_at BIGINT, 
	CONSTRAINT pk_file PRIMARY KEY (id), 
	CONSTRAINT uq_file_object_key UNIQUE (object_key)
);
CREATE INDEX ix_file_space_id_created_at ON file (space_id, created_at);
CREATE INDEX ix_file_status_created_at ON file (status, created_at);
CREATE TABLE file_upload_key (
	principal_id BIGINT NOT NULL, 
	"key" VARCHAR(255) NOT NULL, 
	file_id BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_file_upload_key PRIMARY KEY (principal_id, "key")
);
CREATE INDEX ix_file_upload_key_created_at ON file_upload_key (created_at);
CREATE TABLE flow_variable (
	conversation_id BIGINT NOT NULL, 
	workflow_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	variables TEXT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_flow_variable PRIMARY KEY (conversation_id, workflow_id)
);
CREATE TABLE inbox (
	consumer VARCHAR(100) NOT NULL, 
	event_id VARCHAR(32) NOT NULL, 
	position BIGINT NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	attempts INTEGER NOT NULL, 
	due_at BIGINT NOT NULL, 
	owner VARCHAR(32), 
	leased_until BIGINT, 
	handled_at BIGINT, 
	error TEXT NOT NULL, 
	CONSTRAINT pk_inbox PRIMARY KEY (consumer, event_id)
);
CREATE INDEX ix_inbox_event_id ON inbox (event_id);
CREATE INDEX ix_inbox_open_by_key ON inbox (consumer, "key", position) WHERE handled_at IS NULL;
CREATE INDEX ix_inbox_open_by_position ON inbox (consumer, position) WHERE handled_at IS NULL;
CREATE TABLE knowledge_copy (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	source_space_id BIGINT NOT NULL, 
	source_id BIGINT NOT NULL, 
	target_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	request_key VARCHAR(128) NOT NULL, 
	cursor BIGINT NOT NULL, 
	status SMALLINT NOT NULL, 
	attempt INTEGER NOT NULL, 
	next_run_at BIGINT NOT NULL, 
	last_error VARCHAR(500) NOT NULL, 
	created_at BIGINT NOT NULL, 
	finished_at BIGINT, 
	revision INTEGER NOT NULL, lease_owner VARCHAR(32) DEFAULT '' NOT NULL, lease_until BIGINT, last_error_code INTEGER DEFAULT '0' NOT NULL, 
	CONSTRAINT pk_knowledge_copy PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ix_knowledge_copy_space_id_request_key ON knowledge_copy (space_id, request_key);
CREATE INDEX ix_knowledge_copy_status_next_run_at ON knowledge_copy (status, next_run_at);
CREATE TABLE knowledge_dataset (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	description TEXT NOT NULL, 
	icon_file_id BIGINT, 
	format_type SMALLINT NOT NULL, 
	status SMALLINT NOT NULL, 
	embedding_model VARCHAR(200) NOT NULL, 
	embedding_dimensions INTEGER NOT NULL, 
	analyzer_version VARCHAR(32) NOT NULL, 
	index_version INTEGER NOT NULL, 
	chunk_rule TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, 
	shadow TEXT, 
	scale TEXT, 
	CONSTRAINT pk_knowledge_dataset PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ix_knowledge_dataset_live_name ON knowledge_dataset (space_id, name) WHERE deleted_at IS NULL;
CREATE INDEX ix_knowledge_dataset_space_id_created_at ON knowledge_dataset (space_id, created_at);
CREATE TABLE knowledge_document (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	dataset_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	extension VARCHAR(16) NOT NULL, 
	format_type SMALLINT NOT NULL, 
	source TEXT NOT NULL, 
	size BIGINT NOT NULL, 
	char_count BIGINT NOT NULL, 
	slice_count INTEGER NOT NULL, 
	hit_count BIGINT NOT NULL, 
	status SMALLINT NOT NULL, 
	is_disabled BOOLEAN NOT NULL, 
	fail_code INTEGER NOT NULL, 
	fail_reason VARCHAR(500) NOT NULL, 
	rule TEXT NOT NULL, 
	update_rule TEXT NOT NULL, 
	tags TEXT NOT NULL, 
	content_hash VARCHAR(64) NOT NULL, 
	generation INTEGER NOT NULL, 
	active_generation INTEGER, 
	pending_generation INTEGER, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, 
	table_columns TEXT, 
	refresh_at BIGINT, 
	replaces TEXT, 
	CONSTRAINT pk_knowledge_document PRIMARY KEY (id)
);
CREATE INDEX ix_knowledge_document_dataset_id_content_hash ON knowledge_document (dataset_id, content_hash);
CREATE INDEX ix_knowledge_document_dataset_id_created_at ON knowledge_document (dataset_id, created_at);
CREATE INDEX ix_knowledge_document_dataset_id_is_disabled ON knowledge_document (dataset_id, is_disabled);
CREATE INDEX ix_knowledge_document_refresh_at ON knowledge_document (refresh_at);
CREATE TABLE knowledge_embedding (
	space_id BIGINT NOT NULL, 
	model VARCHAR(200) NOT NULL, 
	text_hash VARCHAR(64) NOT NULL, 
	vector BLOB NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_knowledge_embedding PRIMARY KEY (space_id, model, text_hash)
);
CREATE INDEX ix_knowledge_embedding_created_at ON knowledge_embedding (created_at);
CREATE TABLE knowledge_job (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	dataset_id BIGINT NOT NULL, 
	document_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	generation INTEGER NOT NULL, 
	stage VARCHAR(16) NOT NULL, 
	cursor BIGINT NOT NULL, 
	total_units INTEGER NOT NULL, 
	done_units INTEGER NOT NULL, 
	attempt INTEGER NOT NULL, 
	has_moved BOOLEAN NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	next_run_at BIGINT NOT NULL, 
	lease_owner VARCHAR(64) NOT NULL, 
	lease_until BIGINT, 
	last_error_code INTEGER NOT NULL, 
	last_error VARCHAR(500) NOT NULL, 
	created_at BIGINT NOT NULL, 
	started_at BIGINT, 
	finished_at BIGINT, 
	revision INTEGER NOT NULL, 
	intake TEXT, pace TEXT, 
	CONSTRAINT pk_knowledge_job PRIMARY KEY (id)
);
CREATE INDEX ix_knowledge_job_dataset_id ON knowledge_job (dataset_id);
CREATE UNIQUE INDEX ix_knowledge_job_document_id_generation ON knowledge_job (document_id, generation);
CREATE INDEX ix_knowledge_job_space_id_state ON knowledge_job (space_id, state);
CREATE INDEX ix_knowledge_job_state_next_run_at ON knowledge_job (state, next_run_at);
CREATE TABLE knowledge_object (
	object_key VARCHAR(512) NOT NULL, 
	space_id BIGINT NOT NULL, 
	document_id BIGINT NOT NULL, 
	CONSTRAINT pk_knowledge_object PRIMARY KEY (object_key, document_id)
);
CREATE INDEX ix_knowledge_object_document_id ON knowledge_object (document_id);
CREATE TABLE knowledge_preview (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	dataset_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	extension VARCHAR(16) NOT NULL, 
	source TEXT NOT NULL, 
	size BIGINT NOT NULL, 
	content_hash VARCHAR(64) NOT NULL, 
	rule TEXT NOT NULL, 
	state SMALLINT NOT NULL, 
	fail_code INTEGER NOT NULL, 
	fail_reason VARCHAR(500) NOT NULL, 
	chunk_count INTEGER NOT NULL, 
	attempt INTEGER NOT NULL, 
	next_run_at BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	revision INTEGER NOT NULL, lease_owner VARCHAR(32) DEFAULT '' NOT NULL, lease_until BIGINT, 
	CONSTRAINT pk_knowledge_preview PRIMARY KEY (id)
);
CREATE INDEX ix_knowledge_preview_expires_at ON knowledge_preview (expires_at);
CREATE INDEX ix_knowledge_preview_state_next_run_at ON knowledge_preview (state, next_run_at);
CREATE TABLE knowledge_rebuild (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	dataset_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	"plan" TEXT NOT NULL, 
	old_collection VARCHAR(64) NOT NULL, 
	cursor BIGINT NOT NULL, 
	total INTEGER NOT NULL, 
	done INTEGER NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	attempt INTEGER NOT NULL, 
	next_run_at BIGINT NOT NULL, 
	last_error_code INTEGER NOT NULL, 
	last_error VARCHAR(500) NOT NULL, 
	created_at BIGINT NOT NULL, 
	finished_at BIGINT, 
	revision INTEGER NOT NULL, lease_owner VARCHAR(32) DEFAULT '' NOT NULL, lease_until BIGINT, 
	CONSTRAINT pk_knowledge_rebuild PRIMARY KEY (id)
);
CREATE INDEX ix_knowledge_rebuild_dataset_id ON knowledge_rebuild (dataset_id);
CREATE INDEX ix_knowledge_rebuild_state_next_run_at ON knowledge_rebuild (state, next_run_at);
CREATE TABLE knowledge_request_key (
	principal_id BIGINT NOT NULL, 
	operation VARCHAR(32) NOT NULL, 
	"key" VARCHAR(255) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	ids TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_knowledge_request_key PRIMARY KEY (principal_id, operation, "key")
);
CREATE TABLE knowledge_slice (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	dataset_id BIGINT NOT NULL, 
	document_id BIGINT NOT NULL, 
	generation INTEGER NOT NULL, 
	ordinal BIGINT NOT NULL, 
	sequence DOUBLE NOT NULL, 
	content TEXT NOT NULL, 
	content_hash VARCHAR(64) NOT NULL, 
	char_count INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	index_text TEXT NOT NULL, 
	parent_id BIGINT, 
	heading_path TEXT NOT NULL, 
	place TEXT NOT NULL, 
	status SMALLINT NOT NULL, 
	fail_reason VARCHAR(500) NOT NULL, 
	hit_count BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	revision INTEGER NOT NULL, is_disabled BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_knowledge_slice PRIMARY KEY (id)
);
CREATE INDEX ix_knowledge_slice_dataset_id_id ON knowledge_slice (dataset_id, id);
CREATE UNIQUE INDEX ix_knowledge_slice_document_id_generation_ordinal ON knowledge_slice (document_id, generation, ordinal);
CREATE INDEX ix_knowledge_slice_document_id_generation_sequence ON knowledge_slice (document_id, generation, sequence);
CREATE TABLE membership (
	space_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	joined_at BIGINT NOT NULL, 
	CONSTRAINT pk_membership PRIMARY KEY (space_id, user_id)
);
CREATE INDEX ix_membership_user_id ON membership (user_id);
CREATE TABLE memory_database (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	live_name VARCHAR(200), 
	description TEXT NOT NULL, 
	icon_file_id BIGINT, 
	app_id BIGINT, 
	row_mode SMALLINT NOT NULL, 
	is_prompt_disabled BOOLEAN NOT NULL, 
	fields TEXT NOT NULL, 
	next_field INTEGER NOT NULL, 
	next_column INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, 
	CONSTRAINT pk_memory_database PRIMARY KEY (id)
);
CREATE INDEX ix_memory_database_space_id_id ON memory_database (space_id, id);
CREATE UNIQUE INDEX ix_memory_database_space_id_live_name ON memory_database (space_id, live_name);
CREATE TABLE memory_database_binding (
	agent_id BIGINT NOT NULL, 
	database_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_memory_database_binding PRIMARY KEY (agent_id, database_id)
);
CREATE INDEX ix_memory_database_binding_database_id ON memory_database_binding (database_id);
CREATE TABLE memory_import (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	database_id BIGINT NOT NULL, 
	side VARCHAR(8) NOT NULL, 
	file_id BIGINT NOT NULL, 
	file_name TEXT NOT NULL, 
	sheet INTEGER, 
	header_line INTEGER NOT NULL, 
	end_user_id TEXT NOT NULL, 
	connector_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	total INTEGER NOT NULL, 
	rows INTEGER NOT NULL, 
	problem TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_memory_import PRIMARY KEY (id)
);
CREATE INDEX ix_memory_import_database_id ON memory_import (database_id);
CREATE TABLE memory_item (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	agent_id BIGINT NOT NULL, 
	side VARCHAR(8) NOT NULL, 
	connector_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	text TEXT NOT NULL, 
	terms TEXT NOT NULL, 
	vector BLOB NOT NULL, 
	embedding VARCHAR(300) NOT NULL, 
	importance FLOAT NOT NULL, 
	origin VARCHAR(16) NOT NULL, 
	conversation_id BIGINT NOT NULL, 
	run_id BIGINT NOT NULL, 
	message_ids TEXT NOT NULL, 
	valid_from BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	last_used_at BIGINT NOT NULL, 
	superseded_by BIGINT, 
	CONSTRAINT pk_memory_item PRIMARY KEY (id)
);
CREATE INDEX ix_memory_item_conversation_id ON memory_item (conversation_id);
CREATE INDEX ix_memory_item_holder ON memory_item (agent_id, end_user_id, connector_id, side);
CREATE TABLE memory_opt_out (
	agent_id BIGINT NOT NULL, 
	side VARCHAR(8) NOT NULL, 
	connector_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	space_id BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_memory_opt_out PRIMARY KEY (agent_id, side, connector_id, end_user_id)
);
CREATE TABLE memory_variable (
	owner_kind VARCHAR(8) NOT NULL, 
	owner_id BIGINT NOT NULL, 
	side VARCHAR(8) NOT NULL, 
	connector_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	keyword VARCHAR(100) NOT NULL, 
	space_id BIGINT NOT NULL, 
	value TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_memory_variable PRIMARY KEY (owner_kind, owner_id, side, connector_id, end_user_id, keyword)
);
CREATE TABLE message (
	id BIGINT NOT NULL, 
	conversation_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	section_id BIGINT NOT NULL, 
	run_id BIGINT, 
	agent_id BIGINT, 
	seq BIGINT NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	parts TEXT NOT NULL, 
	is_text BOOLEAN NOT NULL, 
	reasoning TEXT NOT NULL, 
	finish_reason VARCHAR(32) NOT NULL, 
	tool_calls TEXT NOT NULL, 
	tool_call_id VARCHAR(256) NOT NULL, 
	tool_error BOOLEAN NOT NULL, 
	meta TEXT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	citations TEXT, 
	CONSTRAINT pk_message PRIMARY KEY (id)
);
CREATE INDEX ix_message_conversation_id_id ON message (conversation_id, id);
CREATE INDEX ix_message_conversation_id_seq ON message (conversation_id, seq);
CREATE INDEX ix_message_run_id_seq ON message (run_id, seq);
CREATE TABLE model_call (
	run_id BIGINT NOT NULL, 
	call_no INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	purpose VARCHAR(20) NOT NULL, 
	model VARCHAR(200) NOT NULL, 
	provider VARCHAR(50) NOT NULL, 
	attempt INTEGER NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	cached_tokens BIGINT NOT NULL, 
	reasoning_tokens BIGINT NOT NULL, 
	is_estimated BOOLEAN NOT NULL, 
	outcome VARCHAR(10) NOT NULL, 
	finish_reason VARCHAR(20) NOT NULL, 
	error VARCHAR(300) NOT NULL, 
	first_token_ms INTEGER, 
	total_ms INTEGER NOT NULL, 
	cost VARCHAR(32) NOT NULL, 
	ended_at BIGINT, app_id BIGINT DEFAULT '0' NOT NULL, agent_id BIGINT DEFAULT '0' NOT NULL, workflow_id BIGINT DEFAULT '0' NOT NULL, dataset_id BIGINT DEFAULT '0' NOT NULL, member_id BIGINT DEFAULT '0' NOT NULL, token_id BIGINT DEFAULT '0' NOT NULL, share_link_id BIGINT DEFAULT '0' NOT NULL, source VARCHAR(16) DEFAULT '' NOT NULL, version VARCHAR(64) DEFAULT '' NOT NULL, end_user_id VARCHAR(256) DEFAULT '' NOT NULL, currency VARCHAR(3) DEFAULT '' NOT NULL, price_version VARCHAR(16) DEFAULT '' NOT NULL, pages INTEGER DEFAULT '0' NOT NULL, slot INTEGER DEFAULT '0' NOT NULL, has_points BOOLEAN DEFAULT 0 NOT NULL, is_rolled BOOLEAN DEFAULT 0 NOT NULL, money VARCHAR(32), has_later_sums BOOLEAN DEFAULT 0 NOT NULL, has_model_sums BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT pk_model_call PRIMARY KEY (run_id, call_no)
);
CREATE INDEX ix_model_call_space_id_ended_at ON model_call (space_id, ended_at);
CREATE TABLE model_entry (
	id BIGINT NOT NULL, 
	type VARCHAR(20) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	spec TEXT NOT NULL, 
	sealed_key BLOB NOT NULL, 
	is_enabled BOOLEAN NOT NULL, 
	is_default BOOLEAN NOT NULL, 
	is_vision_default BOOLEAN NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	CONSTRAINT pk_model_entry PRIMARY KEY (id), 
	CONSTRAINT uq_model_entry_name UNIQUE (name)
);
CREATE TABLE named_conversation (
	space_id BIGINT NOT NULL, 
	owner_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	name VARCHAR(256) NOT NULL, 
	conversation_id BIGINT NOT NULL, 
	is_fixed BOOLEAN NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_named_conversation PRIMARY KEY (space_id, owner_id, creator_id, end_user_id, name)
);
CREATE INDEX ix_named_conversation_conversation_id ON named_conversation (conversation_id);
CREATE TABLE outbox (
	position INTEGER NOT NULL, 
	event_id VARCHAR(32) NOT NULL, 
	topic VARCHAR(100) NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	space_id BIGINT NOT NULL, 
	payload BLOB NOT NULL, 
	created_at BIGINT NOT NULL, 
	published_at BIGINT, 
	relay_until BIGINT, 
	relayed_at BIGINT, relay_owner VARCHAR(32), traceparent VARCHAR(55), 
	CONSTRAINT pk_outbox PRIMARY KEY (position), 
	CONSTRAINT uq_outbox_event_id UNIQUE (event_id)
);
CREATE INDEX ix_outbox_published_at ON outbox (published_at);
CREATE INDEX ix_outbox_unpublished ON outbox (position) WHERE published_at IS NULL;
CREATE INDEX ix_outbox_unrelayed ON outbox (position) WHERE relayed_at IS NULL;
CREATE TABLE plugin (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	description TEXT NOT NULL, 
	icon_file_id BIGINT, 
	app_id BIGINT NOT NULL, 
	manifest TEXT NOT NULL, 
	sealed_secrets BLOB NOT NULL, 
	latest_version VARCHAR(24) NOT NULL, 
	is_draft_changed BOOLEAN NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	published_at BIGINT, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, groups TEXT DEFAULT '[]' NOT NULL, last_call TEXT, last_used_at BIGINT, 
	CONSTRAINT pk_plugin PRIMARY KEY (id)
);
CREATE INDEX ix_plugin_space_id_id ON plugin (space_id, id);
CREATE TABLE plugin_grant (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	plugin_id BIGINT NOT NULL, 
	holder VARCHAR(300) NOT NULL, 
	sealed_tokens BLOB NOT NULL, 
	refresh_at BIGINT, 
	expires_at BIGINT, 
	failures INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	last_used_at BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	CONSTRAINT pk_plugin_grant PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ix_plugin_grant_plugin_id_holder ON plugin_grant (plugin_id, holder);
CREATE TABLE plugin_hosts (
	space_id BIGINT NOT NULL, 
	hosts TEXT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_plugin_hosts PRIMARY KEY (space_id)
);
CREATE TABLE plugin_pending_grant (
	digest VARCHAR(64) NOT NULL, 
	space_id BIGINT NOT NULL, 
	plugin_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	holder VARCHAR(300) NOT NULL, 
	sealed_verifier BLOB NOT NULL, 
	expires_at BIGINT NOT NULL, 
	CONSTRAINT pk_plugin_pending_grant PRIMARY KEY (digest)
);
CREATE INDEX ix_plugin_pending_grant_expires_at ON plugin_pending_grant (expires_at);
CREATE TABLE plugin_tool (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	plugin_id BIGINT NOT NULL, 
	definition TEXT NOT NULL, 
	is_checked BOOLEAN NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	CONSTRAINT pk_plugin_tool PRIMARY KEY (id)
);
CREATE INDEX ix_plugin_tool_plugin_id_id ON plugin_tool (plugin_id, id);
CREATE TABLE plugin_version (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	plugin_id BIGINT NOT NULL, 
	label VARCHAR(24) NOT NULL, 
	note TEXT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	manifest TEXT NOT NULL, 
	tool_count INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_plugin_version PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ix_plugin_version_plugin_id_label ON plugin_version (plugin_id, label);
CREATE TABLE plugin_version_tool (
	version_id BIGINT NOT NULL, 
	tool_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	definition TEXT NOT NULL, 
	CONSTRAINT pk_plugin_version_tool PRIMARY KEY (version_id, tool_id)
);
CREATE TABLE prompt (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	description TEXT NOT NULL, 
	text TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	revision INTEGER NOT NULL, tags TEXT DEFAULT '[]' NOT NULL, 
	CONSTRAINT pk_prompt PRIMARY KEY (id)
);
CREATE INDEX ix_prompt_space_id_id ON prompt (space_id, id);
CREATE TABLE run (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	conversation_id BIGINT NOT NULL, 
	section_id BIGINT NOT NULL, 
	agent_id BIGINT NOT NULL, 
	agent_version VARCHAR(64) NOT NULL, 
	creator_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	connector_id BIGINT NOT NULL, 
	question_id BIGINT, 
	request TEXT NOT NULL, 
	meta TEXT NOT NULL, 
	inserted_message_ids TEXT NOT NULL, 
	replaces_run_id BIGINT, 
	is_saved BOOLEAN NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	phase VARCHAR(16) NOT NULL, 
	attempt INTEGER NOT NULL, 
	lease_owner VARCHAR(64) NOT NULL, 
	lease_until BIGINT, 
	cancel_requested_at BIGINT, 
	cancel_reason VARCHAR(32) NOT NULL, 
	usage TEXT NOT NULL, 
	finish_reason VARCHAR(32) NOT NULL, 
	error TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	started_at BIGINT, 
	first_token_at BIGINT, 
	completed_at BIGINT, 
	failed_at BIGINT, 
	canceled_at BIGINT, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, 
	workflow_run_id BIGINT DEFAULT '0' NOT NULL, 
	waits_for TEXT, 
	CONSTRAINT pk_run PRIMARY KEY (id)
);
CREATE INDEX ix_run_conversation_id_section_id ON run (conversation_id, section_id);
CREATE INDEX ix_run_space_id_id ON run (space_id, id);
CREATE INDEX ix_run_status_lease_until ON run (status, lease_until);
CREATE UNIQUE INDEX uq_run_active ON run (conversation_id) WHERE status IN ('created', 'in_progress') AND phase <> 'finishing';
CREATE TABLE run_event (
	run_id BIGINT NOT NULL, 
	first_seq BIGINT NOT NULL, 
	last_seq BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	payload BLOB NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_run_event PRIMARY KEY (run_id, first_seq)
);
CREATE INDEX ix_run_event_created_at ON run_event (created_at);
CREATE TABLE run_idempotency (
	space_id BIGINT NOT NULL, 
	principal_id BIGINT NOT NULL, 
	"key" VARCHAR(255) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	run_id BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_run_idempotency PRIMARY KEY (space_id, principal_id, "key")
);
CREATE INDEX ix_run_idempotency_created_at ON run_idempotency (created_at);
CREATE TABLE section_agent (
	section_id BIGINT NOT NULL, 
	agent_id BIGINT NOT NULL, 
	conversation_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	path TEXT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_section_agent PRIMARY KEY (section_id, agent_id)
);
CREATE INDEX ix_section_agent_conversation_id ON section_agent (conversation_id);
CREATE TABLE section_summary (
	section_id BIGINT NOT NULL, 
	conversation_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	upto_seq BIGINT NOT NULL, 
	text TEXT NOT NULL, 
	tokens INTEGER NOT NULL, 
	basis VARCHAR(64) NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_section_summary PRIMARY KEY (section_id)
);
CREATE INDEX ix_section_summary_conversation_id ON section_summary (conversation_id);
CREATE TABLE space (
	id BIGINT NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	name VARCHAR(50) NOT NULL, 
	description TEXT NOT NULL, 
	icon_url VARCHAR(2000) NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, suspended_at BIGINT, limits TEXT, default_model VARCHAR(256) DEFAULT '' NOT NULL, language VARCHAR(8) DEFAULT '' NOT NULL, 
	CONSTRAINT pk_space PRIMARY KEY (id)
);
CREATE TABLE transfer (
	origin VARCHAR(64) NOT NULL, 
	is_over BOOLEAN NOT NULL, 
	CONSTRAINT pk_transfer PRIMARY KEY (origin)
);
CREATE TABLE transfer_step (
	name VARCHAR(200) NOT NULL, 
	cursor BLOB NOT NULL, 
	done BIGINT NOT NULL, 
	is_over BOOLEAN NOT NULL, 
	CONSTRAINT pk_transfer_step PRIMARY KEY (name)
);
CREATE TABLE user_account (
	id BIGINT NOT NULL, 
	name VARCHAR(20) NOT NULL, 
	name_key VARCHAR(20) NOT NULL, 
	nickname VARCHAR(50) NOT NULL, 
	avatar_url VARCHAR(2000) NOT NULL, 
	personal_space_id BIGINT NOT NULL, 
	is_admin BOOLEAN NOT NULL, 
	created_at BIGINT NOT NULL, 
	disabled_at BIGINT, 
	revision INTEGER NOT NULL, email VARCHAR(254) DEFAULT '' NOT NULL, is_email_trusted BOOLEAN DEFAULT 0 NOT NULL, email_key VARCHAR(254), 
	CONSTRAINT pk_user_account PRIMARY KEY (id), 
	CONSTRAINT uq_user_account_name_key UNIQUE (name_key)
);
CREATE TABLE workflow (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	description TEXT NOT NULL, 
	icon_file_id BIGINT, 
	mode SMALLINT NOT NULL, 
	app_id BIGINT NOT NULL, 
	draft_digest VARCHAR(64) NOT NULL, 
	draft_dialect VARCHAR(16) NOT NULL, 
	draft_size INTEGER NOT NULL, 
	draft_revision INTEGER NOT NULL, 
	tested VARCHAR(64) NOT NULL, 
	latest_version VARCHAR(24) NOT NULL, 
	published_digest VARCHAR(64) NOT NULL, 
	role TEXT, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	published_at BIGINT, 
	deleted_at BIGINT, 
	revision INTEGER NOT NULL, trace_capture VARCHAR(10), node_count INTEGER, 
	CONSTRAINT pk_workflow PRIMARY KEY (id)
);
CREATE INDEX ix_workflow_space_id_updated_at ON workflow (space_id, updated_at);
CREATE TABLE workflow_canvas (
	workflow_id BIGINT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	space_id BIGINT NOT NULL, 
	text TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_workflow_canvas PRIMARY KEY (workflow_id, digest)
);
CREATE TABLE workflow_reference (
	workflow_id BIGINT NOT NULL, 
	source VARCHAR(16) NOT NULL, 
	callee_id BIGINT NOT NULL, 
	version VARCHAR(24) NOT NULL, 
	space_id BIGINT NOT NULL, 
	CONSTRAINT pk_workflow_reference PRIMARY KEY (workflow_id, source, callee_id, version)
);
CREATE INDEX ix_workflow_reference_space_id_callee_id ON workflow_reference (space_id, callee_id);
CREATE TABLE workflow_run (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	workflow_id BIGINT NOT NULL, 
	version VARCHAR(32) NOT NULL, 
	version_hash VARCHAR(200) NOT NULL, 
	canvas_digest VARCHAR(64) NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	mode SMALLINT NOT NULL, 
	node_id VARCHAR(200) NOT NULL, 
	creator_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	connector_id BIGINT NOT NULL, 
	app_id BIGINT NOT NULL, 
	agent_id BIGINT NOT NULL, 
	conversation_id BIGINT NOT NULL, 
	log_id VARCHAR(64) NOT NULL, 
	input TEXT NOT NULL, 
	answers BOOLEAN NOT NULL, 
	phase VARCHAR(12) NOT NULL, 
	output TEXT NOT NULL, 
	fault TEXT, 
	pending TEXT NOT NULL, 
	executed BIGINT NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	lease_owner VARCHAR(32) NOT NULL, 
	lease_until BIGINT, 
	attempt INTEGER NOT NULL, 
	deadline_at BIGINT, 
	remaining_s FLOAT NOT NULL, 
	expires_at BIGINT, 
	cancel_requested_at BIGINT, 
	created_at BIGINT NOT NULL, 
	started_at BIGINT, 
	updated_at BIGINT NOT NULL, 
	finished_at BIGINT, 
	purged_at BIGINT, 
	revision INTEGER NOT NULL, 
	egress_hosts TEXT, origin TEXT, 
	CONSTRAINT pk_workflow_run PRIMARY KEY (id)
);
CREATE INDEX ix_workflow_run_canvas_digest ON workflow_run (canvas_digest) WHERE canvas_digest <> '';
CREATE INDEX ix_workflow_run_expires_at ON workflow_run (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ix_workflow_run_finished_at ON workflow_run (finished_at) WHERE purged_at IS NULL;
CREATE INDEX ix_workflow_run_live ON workflow_run (lease_until) WHERE phase IN ('created', 'running');
CREATE INDEX ix_workflow_run_workflow_id_id ON workflow_run (workflow_id, id);
CREATE TABLE workflow_run_canvas (
	space_id BIGINT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	dialect VARCHAR(16) NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_workflow_run_canvas PRIMARY KEY (space_id, digest)
);
CREATE TABLE workflow_run_log (
	run_id BIGINT NOT NULL, 
	number INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	entries_after BIGINT NOT NULL, 
	entries_to BIGINT NOT NULL, 
	entries BLOB NOT NULL, 
	first_seq BIGINT NOT NULL, 
	last_seq BIGINT NOT NULL, 
	events BLOB NOT NULL, 
	CONSTRAINT pk_workflow_run_log PRIMARY KEY (run_id, number)
);
CREATE TABLE workflow_run_request (
	creator_id BIGINT NOT NULL, 
	"key" VARCHAR(255) NOT NULL, 
	space_id BIGINT NOT NULL, 
	run_id BIGINT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_workflow_run_request PRIMARY KEY (creator_id, "key")
);
CREATE INDEX ix_workflow_run_request_run_id ON workflow_run_request (run_id);
CREATE TABLE workflow_run_state (
	run_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	sequence BIGINT NOT NULL, 
	state BLOB NOT NULL, 
	CONSTRAINT pk_workflow_run_state PRIMARY KEY (run_id)
);
CREATE TABLE workflow_version (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	workflow_id BIGINT NOT NULL, 
	label VARCHAR(24) NOT NULL, 
	note TEXT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	canvas_digest VARCHAR(64) NOT NULL, 
	canvas_dialect VARCHAR(16) NOT NULL, 
	canvas_size INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_workflow_version PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ix_workflow_version_workflow_id_label ON workflow_version (workflow_id, label);
CREATE INDEX ix_file_expires_at ON file (expires_at);
CREATE INDEX ix_run_unsettled ON run (conversation_id) WHERE status IN ('created', 'in_progress', 'requires_action');
CREATE TABLE client_wait (
	call_id VARCHAR(64) NOT NULL, 
	run_id BIGINT NOT NULL, 
	ordinal INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	agent_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	conversation_id BIGINT, 
	name VARCHAR(64) NOT NULL, 
	upstream_id VARCHAR(256) NOT NULL, 
	history VARCHAR(64) NOT NULL, 
	answer VARCHAR(64) NOT NULL, 
	last_event BIGINT NOT NULL, 
	usage TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	output VARCHAR(64) NOT NULL, 
	request_key VARCHAR(64) NOT NULL, 
	is_delivered BOOLEAN NOT NULL, 
	CONSTRAINT pk_client_wait PRIMARY KEY (call_id)
);
CREATE INDEX ix_client_wait_run_id ON client_wait (run_id);
CREATE INDEX ix_client_wait_expires_at ON client_wait (expires_at);
CREATE TABLE stored_response (
	id BIGINT NOT NULL, 
	run_id BIGINT NOT NULL, 
	resumes INTEGER NOT NULL, 
	after_seq BIGINT NOT NULL, 
	used TEXT NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	conversation_id BIGINT, 
	previous_id BIGINT, 
	is_background BOOLEAN NOT NULL, 
	request TEXT NOT NULL, 
	items TEXT NOT NULL, 
	output TEXT, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	CONSTRAINT pk_stored_response PRIMARY KEY (id)
);
CREATE INDEX ix_stored_response_expires_at ON stored_response (expires_at);
CREATE UNIQUE INDEX uq_stored_response_run ON stored_response (run_id, resumes);
CREATE INDEX ix_stored_response_conversation_id ON stored_response (conversation_id);
CREATE INDEX ix_model_call_unrolled ON model_call (slot) WHERE NOT is_rolled;
CREATE TABLE service_token (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(50) NOT NULL, 
	permissions TEXT NOT NULL, 
	agent_ids TEXT, 
	networks TEXT, 
	digest BLOB NOT NULL, 
	last4 VARCHAR(4) NOT NULL, 
	former_digest BLOB, 
	former_until BIGINT, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	issued_at BIGINT NOT NULL, 
	expires_at BIGINT, 
	warned_at BIGINT, 
	revoked_at BIGINT, 
	last_used_at BIGINT, rate_class VARCHAR(16) DEFAULT 'default' NOT NULL, 
	CONSTRAINT pk_service_token PRIMARY KEY (id), 
	CONSTRAINT uq_service_token_digest UNIQUE (digest), 
	CONSTRAINT uq_service_token_former_digest UNIQUE (former_digest)
);
CREATE INDEX ix_service_token_expires_at ON service_token (expires_at);
CREATE INDEX ix_service_token_space_id_id ON service_token (space_id, id);
CREATE TABLE trace (
	run_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	parent_run_id BIGINT NOT NULL, 
	name TEXT NOT NULL, 
	agent_id BIGINT NOT NULL, 
	workflow_id BIGINT NOT NULL, 
	version VARCHAR(32) NOT NULL, 
	source VARCHAR(16) NOT NULL, 
	connector_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	conversation_id BIGINT NOT NULL, 
	capture VARCHAR(16) NOT NULL, 
	status VARCHAR(12) NOT NULL, 
	error_code INTEGER NOT NULL, 
	error TEXT NOT NULL, 
	started_at BIGINT NOT NULL, 
	ended_at BIGINT NOT NULL, 
	duration_us BIGINT NOT NULL, 
	first_token_ms INTEGER, 
	steps INTEGER NOT NULL, 
	tool_calls INTEGER NOT NULL, 
	spans INTEGER NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	cached_tokens BIGINT NOT NULL, 
	reasoning_tokens BIGINT NOT NULL, 
	cost BIGINT NOT NULL, 
	models TEXT NOT NULL, 
	tools TEXT NOT NULL, 
	is_rebuilt BOOLEAN NOT NULL, 
	pinned_at BIGINT, 
	pinned_by BIGINT, trace_id VARCHAR(32) DEFAULT '' NOT NULL, waited_ms BIGINT DEFAULT '0' NOT NULL, tags TEXT DEFAULT '' NOT NULL, body BLOB, 
	CONSTRAINT pk_trace PRIMARY KEY (run_id)
);
CREATE INDEX ix_trace_space_id_started_at ON trace (space_id, started_at) WHERE parent_run_id = 0;
CREATE INDEX ix_trace_parent_run_id ON trace (parent_run_id) WHERE parent_run_id <> 0;
CREATE TABLE trace_body (
	run_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	began_at BIGINT NOT NULL, 
	object_key VARCHAR(200) NOT NULL, 
	sealed BLOB NOT NULL, 
	CONSTRAINT pk_trace_body PRIMARY KEY (run_id, began_at)
);
CREATE INDEX ix_trace_body_object_key ON trace_body (object_key) WHERE object_key <> '';
CREATE TABLE user_group (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	name VARCHAR(50) NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_user_group PRIMARY KEY (id)
);
CREATE INDEX ix_user_group_space_id_id ON user_group (space_id, id);
CREATE TABLE group_member (
	group_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	CONSTRAINT pk_group_member PRIMARY KEY (group_id, user_id)
);
CREATE INDEX ix_group_member_user_id ON group_member (user_id);
CREATE TABLE resource_grant (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	resource_type VARCHAR(20) NOT NULL, 
	resource_id BIGINT NOT NULL, 
	subject_type VARCHAR(20) NOT NULL, 
	subject_id BIGINT NOT NULL, 
	level VARCHAR(20) NOT NULL, 
	granted_by BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_resource_grant PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_resource_grant ON resource_grant (resource_id, resource_type, subject_id, subject_type);
CREATE INDEX ix_resource_grant_subject_id_subject_type ON resource_grant (subject_id, subject_type);
CREATE TABLE browser_session (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	user_id BIGINT NOT NULL, 
	digest BLOB NOT NULL, 
	way VARCHAR(20) NOT NULL, 
	is_remembered BOOLEAN NOT NULL, 
	device VARCHAR(256) NOT NULL, 
	address VARCHAR(64) NOT NULL, 
	created_at BIGINT NOT NULL, 
	signed_in_at BIGINT NOT NULL, 
	expires_at BIGINT, 
	token_id BIGINT, 
	revoked_at BIGINT, 
	last_used_at BIGINT, 
	CONSTRAINT pk_browser_session PRIMARY KEY (id), 
	CONSTRAINT uq_browser_session_digest UNIQUE (digest)
);
CREATE INDEX ix_browser_session_user_id_last_used_at ON browser_session (user_id, last_used_at);
CREATE TABLE sign_in_ticket (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	user_id BIGINT NOT NULL, 
	digest BLOB NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	spent_at BIGINT, 
	CONSTRAINT pk_sign_in_ticket PRIMARY KEY (id), 
	CONSTRAINT uq_sign_in_ticket_digest UNIQUE (digest)
);
CREATE INDEX ix_sign_in_ticket_user_id ON sign_in_ticket (user_id);
CREATE TABLE user_password (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	encoded VARCHAR(200) NOT NULL, 
	changed_at BIGINT NOT NULL, 
	CONSTRAINT pk_user_password PRIMARY KEY (id)
);
CREATE TABLE sign_in_attempt (
	id BIGINT NOT NULL, 
	account BLOB NOT NULL, 
	address VARCHAR(64) NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_sign_in_attempt PRIMARY KEY (id)
);
CREATE INDEX ix_sign_in_attempt_account_at ON sign_in_attempt (account, at);
CREATE INDEX ix_sign_in_attempt_address_at ON sign_in_attempt (address, at);
CREATE INDEX ix_sign_in_attempt_at ON sign_in_attempt (at);
CREATE TABLE user_preference (
	user_id BIGINT NOT NULL, 
	document TEXT NOT NULL, 
	CONSTRAINT pk_user_preference PRIMARY KEY (user_id)
);
CREATE UNIQUE INDEX uq_user_account_email_key ON user_account (email_key);
CREATE TABLE audit_chain (
	id BIGINT NOT NULL, 
	position BIGINT NOT NULL, 
	digest BLOB NOT NULL, 
	cut_position BIGINT NOT NULL, 
	cut_digest BLOB NOT NULL, 
	CONSTRAINT pk_audit_chain PRIMARY KEY (id)
);
CREATE INDEX ix_audit_log_position_id ON audit_log (position, id);
CREATE TABLE usage_rollup (
	space_id BIGINT NOT NULL, 
	cube SMALLINT NOT NULL, 
	grain INTEGER NOT NULL, 
	slot INTEGER NOT NULL, 
	"key" VARCHAR(32) NOT NULL, 
	app_id BIGINT NOT NULL, 
	agent_id BIGINT NOT NULL, 
	version VARCHAR(64) NOT NULL, 
	workflow_id BIGINT NOT NULL, 
	dataset_id BIGINT NOT NULL, 
	model VARCHAR(200) NOT NULL, 
	provider VARCHAR(50) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	source VARCHAR(16) NOT NULL, 
	token_id BIGINT NOT NULL, 
	share_link_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	member_id BIGINT NOT NULL, 
	currency VARCHAR(3) NOT NULL, 
	calls BIGINT NOT NULL, 
	failed_calls BIGINT NOT NULL, 
	estimated_calls BIGINT NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	cached_tokens BIGINT NOT NULL, 
	reasoning_tokens BIGINT NOT NULL, 
	pages BIGINT NOT NULL, 
	points_e8 BIGINT NOT NULL, 
	money_e8 BIGINT NOT NULL, 
	calls_without_points BIGINT NOT NULL, 
	calls_without_money BIGINT NOT NULL, 
	unsettled_calls BIGINT NOT NULL, 
	unsettled_tokens BIGINT NOT NULL, 
	unsettled_points_e8 BIGINT NOT NULL, 
	unsettled_money_e8 BIGINT NOT NULL, 
	CONSTRAINT pk_usage_rollup PRIMARY KEY (space_id, cube, grain, slot, "key")
);
CREATE TABLE price_version (
	model VARCHAR(200) NOT NULL, 
	number INTEGER NOT NULL, 
	version VARCHAR(16) NOT NULL, 
	currency VARCHAR(3) NOT NULL, 
	prices TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	created_by BIGINT NOT NULL, 
	CONSTRAINT pk_price_version PRIMARY KEY (model, number)
);
CREATE TABLE oauth_app (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(50) NOT NULL, 
	client_type VARCHAR(16) NOT NULL, 
	permissions TEXT NOT NULL, 
	redirect_uris TEXT NOT NULL, 
	allows_plain BOOLEAN NOT NULL, 
	public_key TEXT, 
	secret_digest BLOB, 
	secret_last4 VARCHAR(4) NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	last_used_at BIGINT, disabled_at BIGINT, 
	CONSTRAINT pk_oauth_app PRIMARY KEY (id)
);
CREATE INDEX ix_oauth_app_space_id_id ON oauth_app (space_id, id);
CREATE TABLE oauth_request (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	app_id BIGINT NOT NULL, 
	is_device BOOLEAN NOT NULL, 
	handle BLOB NOT NULL, 
	code BLOB, 
	fixed_space_id BIGINT, 
	redirect_uri TEXT NOT NULL, 
	state_text TEXT NOT NULL, 
	challenge VARCHAR(128) NOT NULL, 
	method VARCHAR(16) NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	user_id BIGINT, 
	space_id BIGINT, 
	interval_s INTEGER NOT NULL, 
	polled_at BIGINT, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	CONSTRAINT pk_oauth_request PRIMARY KEY (id), 
	CONSTRAINT uq_oauth_request_code UNIQUE (code), 
	CONSTRAINT uq_oauth_request_handle UNIQUE (handle)
);
CREATE INDEX ix_oauth_request_app_id_expires_at ON oauth_request (app_id, expires_at);
CREATE TABLE oauth_grant (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	app_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	permissions TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	last_used_at BIGINT, 
	CONSTRAINT pk_oauth_grant PRIMARY KEY (id)
);
CREATE INDEX ix_oauth_grant_app_id_expires_at ON oauth_grant (app_id, expires_at);
CREATE INDEX ix_oauth_grant_user_id_id ON oauth_grant (user_id, id);
CREATE TABLE oauth_token (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	app_id BIGINT NOT NULL, 
	grant_id BIGINT, 
	kind VARCHAR(16) NOT NULL, 
	digest BLOB NOT NULL, 
	permissions TEXT NOT NULL, 
	agent_ids TEXT, 
	end_user_id VARCHAR(256) NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	spent_at BIGINT, 
	CONSTRAINT pk_oauth_token PRIMARY KEY (id), 
	CONSTRAINT uq_oauth_token_digest UNIQUE (digest)
);
CREATE INDEX ix_oauth_token_app_id_expires_at ON oauth_token (app_id, expires_at);
CREATE INDEX ix_oauth_token_grant_id ON oauth_token (grant_id);
CREATE TABLE oauth_assertion (
	app_id BIGINT NOT NULL, 
	name BLOB NOT NULL, 
	expires_at BIGINT NOT NULL, 
	CONSTRAINT pk_oauth_assertion PRIMARY KEY (app_id, name)
);
CREATE TABLE oidc_provider (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	name VARCHAR(50) NOT NULL, 
	issuer TEXT NOT NULL, 
	client_id TEXT NOT NULL, 
	scopes TEXT NOT NULL, 
	groups_claim TEXT NOT NULL, 
	trust_email BOOLEAN NOT NULL, 
	create_accounts BOOLEAN NOT NULL, 
	roles TEXT NOT NULL, 
	sealed_secret BLOB NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_oidc_provider PRIMARY KEY (id)
);
CREATE TABLE oidc_identity (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	digest BLOB NOT NULL, 
	user_id BIGINT NOT NULL, 
	provider VARCHAR(40) NOT NULL, 
	issuer TEXT NOT NULL, 
	subject_name TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	last_used_at BIGINT NOT NULL, 
	CONSTRAINT pk_oidc_identity PRIMARY KEY (id), 
	CONSTRAINT uq_oidc_identity_digest UNIQUE (digest)
);
CREATE INDEX ix_oidc_identity_user_id ON oidc_identity (user_id);
CREATE TABLE oidc_session (
	session_id BIGINT NOT NULL, 
	user_id BIGINT NOT NULL, 
	provider VARCHAR(40) NOT NULL, 
	digest BLOB NOT NULL, 
	provider_session VARCHAR(255) NOT NULL, 
	sealed_id_token BLOB NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_oidc_session PRIMARY KEY (session_id)
);
CREATE INDEX ix_oidc_session_provider_digest ON oidc_session (provider, digest);
CREATE INDEX ix_oidc_session_user_id ON oidc_session (user_id);
CREATE TABLE oidc_role (
	provider VARCHAR(40) NOT NULL, 
	user_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	role VARCHAR(16) NOT NULL, 
	former_role VARCHAR(16), 
	CONSTRAINT pk_oidc_role PRIMARY KEY (provider, user_id, space_id)
);
CREATE TABLE trace_rule (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	capture VARCHAR(10), 
	expressions TEXT NOT NULL, 
	updated_at BIGINT, 
	updated_by BIGINT, 
	CONSTRAINT pk_trace_rule PRIMARY KEY (id)
);
CREATE TABLE budget (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	subject_type VARCHAR(16) NOT NULL, 
	subject_id VARCHAR(256) NOT NULL, 
	unit VARCHAR(16) NOT NULL, 
	period VARCHAR(16) NOT NULL, 
	zone VARCHAR(64) NOT NULL, 
	rules TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_budget PRIMARY KEY (id)
);
CREATE INDEX ix_budget_space_id_id ON budget (space_id, id);
CREATE TABLE budget_period (
	budget_id BIGINT NOT NULL, 
	begins_at BIGINT NOT NULL, 
	spent BIGINT NOT NULL, 
	warned SMALLINT NOT NULL, 
	CONSTRAINT pk_budget_period PRIMARY KEY (budget_id, begins_at)
);
CREATE TABLE budget_portion (
	budget_id BIGINT NOT NULL, 
	begins_at BIGINT NOT NULL, 
	owner VARCHAR(32) NOT NULL, 
	held BIGINT NOT NULL, 
	renewed_at BIGINT NOT NULL, 
	CONSTRAINT pk_budget_portion PRIMARY KEY (budget_id, begins_at, owner)
);
CREATE INDEX ix_budget_portion_owner ON budget_portion (owner);
CREATE TABLE provider_line (
	provider VARCHAR(50) NOT NULL, 
	day INTEGER NOT NULL, 
	model VARCHAR(200) NOT NULL, 
	currency VARCHAR(3) NOT NULL, 
	calls BIGINT, 
	input_tokens BIGINT, 
	output_tokens BIGINT, 
	cost VARCHAR(32), 
	imported_at BIGINT NOT NULL, 
	CONSTRAINT pk_provider_line PRIMARY KEY (provider, day, model, currency)
);
CREATE TABLE share_link (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	code VARCHAR(22) NOT NULL, 
	target_kind VARCHAR(16) NOT NULL, 
	target_id BIGINT NOT NULL, 
	settings TEXT NOT NULL, 
	auth VARCHAR(16) NOT NULL, 
	password_hash BLOB NOT NULL, 
	public_key TEXT NOT NULL, 
	epoch INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	revoked_at BIGINT, 
	sealed_user_key BLOB NOT NULL, hook_url TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_share_link PRIMARY KEY (id), 
	CONSTRAINT uq_share_link_code UNIQUE (code)
);
CREATE INDEX ix_share_link_space_id_id ON share_link (space_id, id);
CREATE TABLE share_visit (
	id BIGINT NOT NULL, 
	link_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	digest BLOB NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	source VARCHAR(16) NOT NULL, 
	epoch INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, sealed_proof BLOB, 
	CONSTRAINT pk_share_visit PRIMARY KEY (id), 
	CONSTRAINT uq_share_visit_digest UNIQUE (digest)
);
CREATE INDEX ix_share_visit_expires_at ON share_visit (expires_at);
CREATE TABLE channel (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	public_id VARCHAR(22) NOT NULL, 
	platform VARCHAR(32) NOT NULL, 
	target_kind VARCHAR(16) NOT NULL, 
	target_id BIGINT NOT NULL, 
	settings TEXT NOT NULL, 
	bot_id VARCHAR(200) NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	deleted_at BIGINT, 
	sealed_credentials BLOB NOT NULL, 
	CONSTRAINT pk_channel PRIMARY KEY (id), 
	CONSTRAINT uq_channel_public_id UNIQUE (public_id)
);
CREATE INDEX ix_channel_space_id_id ON channel (space_id, id);
CREATE TABLE channel_message (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	lease_owner VARCHAR(64) NOT NULL, 
	lease_until BIGINT, 
	attempt INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	channel_id BIGINT NOT NULL, 
	platform_id VARCHAR(200) NOT NULL, 
	thread VARCHAR(40) NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	command VARCHAR(16) NOT NULL, 
	incoming TEXT NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	run_id BIGINT NOT NULL, 
	runs INTEGER NOT NULL, 
	is_told BOOLEAN NOT NULL, 
	live_id VARCHAR(200) NOT NULL, 
	sent INTEGER NOT NULL, 
	next_run_at BIGINT NOT NULL, 
	last_error VARCHAR(500) NOT NULL, 
	created_at BIGINT NOT NULL, 
	finished_at BIGINT, 
	CONSTRAINT pk_channel_message PRIMARY KEY (id)
);
CREATE INDEX ix_channel_message_state_next_run_at ON channel_message (state, next_run_at);
CREATE INDEX ix_channel_message_channel_id_thread_state ON channel_message (channel_id, thread, state);
CREATE INDEX ix_channel_message_space_id_state ON channel_message (space_id, state);
CREATE UNIQUE INDEX ix_channel_message_channel_id_platform_id ON channel_message (channel_id, platform_id);
CREATE TABLE channel_thread (
	channel_id BIGINT NOT NULL, 
	thread VARCHAR(40) NOT NULL, 
	space_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	begun_by BIGINT NOT NULL, 
	CONSTRAINT pk_channel_thread PRIMARY KEY (channel_id, thread)
);
CREATE TABLE invitation (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	digest BLOB NOT NULL, 
	role VARCHAR(20) NOT NULL, 
	max_uses INTEGER, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT NOT NULL, 
	uses INTEGER NOT NULL, 
	revoked_at BIGINT, 
	CONSTRAINT pk_invitation PRIMARY KEY (id), 
	CONSTRAINT uq_invitation_digest UNIQUE (digest)
);
CREATE INDEX ix_invitation_space_id_id ON invitation (space_id, id);
CREATE TABLE data_request (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	space_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	kind VARCHAR NOT NULL, 
	subject_kind VARCHAR NOT NULL, 
	subject_name BLOB NOT NULL, 
	subject_digest VARCHAR(64) NOT NULL, 
	state VARCHAR NOT NULL, 
	problem VARCHAR(500) NOT NULL, 
	attempts INTEGER NOT NULL, 
	proof TEXT NOT NULL, 
	object_key VARCHAR(200) NOT NULL, 
	size BIGINT NOT NULL, 
	created_at BIGINT NOT NULL, 
	started_at BIGINT, 
	finished_at BIGINT, 
	expires_at BIGINT, 
	CONSTRAINT pk_data_request PRIMARY KEY (id)
);
CREATE INDEX ix_data_request_space_id_id ON data_request (space_id, id);
CREATE INDEX ix_data_request_state_id ON data_request (state, id);
CREATE INDEX ix_data_request_subject_digest ON data_request (subject_digest);
CREATE TABLE retention (
	id BIGINT NOT NULL, 
	revision INTEGER NOT NULL, 
	days_conversations INTEGER, 
	days_files INTEGER, 
	days_logs INTEGER, 
	days_trace_content INTEGER, 
	days_traces INTEGER, 
	is_held BOOLEAN NOT NULL, 
	updated_at BIGINT, 
	updated_by BIGINT, 
	CONSTRAINT pk_retention PRIMARY KEY (id)
);
CREATE TABLE audit_stream (
	target VARCHAR(300) NOT NULL, 
	position BIGINT NOT NULL, 
	CONSTRAINT pk_audit_stream PRIMARY KEY (target)
);
CREATE TABLE opened_resource (
	user_id BIGINT NOT NULL, 
	type VARCHAR(16) NOT NULL, 
	resource_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	opened_at BIGINT NOT NULL, 
	CONSTRAINT pk_opened_resource PRIMARY KEY (user_id, type, resource_id)
);
CREATE INDEX ix_opened_resource_user_id_opened_at ON opened_resource (user_id, opened_at);
CREATE TABLE in_flight_call (
	id BIGINT NOT NULL, 
	owner VARCHAR(32) NOT NULL, 
	renewed_at BIGINT NOT NULL, 
	call TEXT NOT NULL, 
	CONSTRAINT pk_in_flight_call PRIMARY KEY (id)
);
CREATE TABLE share_hook_notice (
	run_id BIGINT NOT NULL, 
	link_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	end_user_id VARCHAR(256) NOT NULL, 
	attempt INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	due_at BIGINT NOT NULL, 
	sealed_proof BLOB NOT NULL, 
	CONSTRAINT pk_share_hook_notice PRIMARY KEY (run_id)
);
CREATE INDEX ix_share_hook_notice_due_at ON share_hook_notice (due_at);
CREATE TABLE workflow_saved_input (
	id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	workflow_id BIGINT NOT NULL, 
	creator_id BIGINT NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	is_shared BOOLEAN NOT NULL, 
	inputs TEXT NOT NULL, 
	mocks TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	CONSTRAINT pk_workflow_saved_input PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ix_workflow_saved_input_workflow_id_creator_id_name ON workflow_saved_input (workflow_id, creator_id, name);
CREATE INDEX ix_conversation_end_user ON conversation (space_id, end_user_id, agent_id);
CREATE TABLE model_test (
	model VARCHAR(200) NOT NULL, 
	tested_at BIGINT NOT NULL, 
	is_ok BOOLEAN NOT NULL, 
	failed TEXT NOT NULL, 
	CONSTRAINT pk_model_test PRIMARY KEY (model)
);
CREATE TABLE process_report (
	id VARCHAR(64) NOT NULL, 
	seen_at BIGINT NOT NULL, 
	report TEXT NOT NULL, 
	CONSTRAINT pk_process_report PRIMARY KEY (id)
);
CREATE TABLE process_sample (
	span_s INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	process_id VARCHAR(64) NOT NULL, 
	sample TEXT NOT NULL, 
	CONSTRAINT pk_process_sample PRIMARY KEY (span_s, at, process_id)
);
CREATE TABLE process_log (
	id BIGINT NOT NULL, 
	line TEXT NOT NULL, 
	CONSTRAINT pk_process_log PRIMARY KEY (id)
);
CREATE TABLE operation_note (
	name VARCHAR(32) NOT NULL, 
	note TEXT NOT NULL, 
	CONSTRAINT pk_operation_note PRIMARY KEY (name)
);
CREATE TABLE trace_text_due (
	run_id BIGINT NOT NULL, 
	space_id BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_trace_text_due PRIMARY KEY (run_id)
);
CREATE TABLE space_run_rate (
	space_id BIGINT NOT NULL, 
	remaining FLOAT NOT NULL, 
	refilled_at BIGINT, 
	CONSTRAINT pk_space_run_rate PRIMARY KEY (space_id)
);
CREATE TABLE space_run_hold (
	space_id BIGINT NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	owner VARCHAR(32) NOT NULL, 
	held INTEGER NOT NULL, 
	renewed_at BIGINT NOT NULL, 
	CONSTRAINT pk_space_run_hold PRIMARY KEY (space_id, kind, owner)
);
CREATE INDEX ix_model_call_lacking ON model_call (slot) WHERE is_rolled AND NOT has_later_sums;
CREATE TABLE budget_charge (
	budget_id BIGINT NOT NULL, 
	begins_at BIGINT NOT NULL, 
	run_id BIGINT NOT NULL, 
	call_no INTEGER NOT NULL, 
	amount BIGINT NOT NULL, 
	owner VARCHAR(32) NOT NULL, 
	covered BIGINT NOT NULL, 
	CONSTRAINT pk_budget_charge PRIMARY KEY (budget_id, begins_at, run_id, call_no)
);
CREATE INDEX ix_trace_of_agent ON trace (agent_id, started_at) WHERE agent_id <> 0;
CREATE INDEX ix_trace_of_workflow ON trace (workflow_id, started_at) WHERE workflow_id <> 0;
CREATE INDEX ix_model_call_lacking_models ON model_call (slot) WHERE has_later_sums AND NOT has_model_sums;
