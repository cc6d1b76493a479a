/** What studies left in a run's folder, read again: whoever wrote the files. */
package org.fedometer.analysis.study;
