/**
 * Studies of size that the ingest driver made: their files in a run's folder, read again for its
 * page. A file may have come from anywhere, so it is checked.
 */
package org.fedometer.analysis.study;
