/**
 * Size studies made by the ingest driver: reads their files from a run's folder for its page. Files
 * may be foreign, so they are validated.
 */
package org.fedometer.analysis.study;
