/**
 * Components of reports on terminals and pages: sections of tables and sentences, each declared
 * once.
 */
package org.fedometer.analysis.section;
